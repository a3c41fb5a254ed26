package views

// hostStates are screens of sessions whose host keeps a state.
var hostStates = []state{
	{"host", twoSizes, hosted},
	{"host-unreadable", twoSizes, hostUnreadable},
	{"host-drift", twoSizes, hostDrift},
	{"host-encrypted", twoSizes, hostEncrypted},
}

// hosted is a session judged by its host's own state, which agrees with the
// replay.
func hosted(w, h int) Screen {
	s := screen(w, h)
	s.Session.Problems = 0
	s.Problems = list[Problem](0)
	s.Session.Host = Host{Name: "Pi sidecar", Used: true, Saved: "14:20:11"}
	return s
}

// hostUnreadable is a session whose host's state could be read only before.
func hostUnreadable(w, h int) Screen {
	s := hosted(w, h)
	s.Session.Host.Note = "the host's state is unreadable: the state file is half written or damaged; the one of 14:20:11 stands"
	s.Session.Host.Unseen = 2
	return s
}

// hostDrift is a host whose state differs from the replay.
func hostDrift(w, h int) Screen {
	s := hosted(w, h)
	s.Focus, s.Last = PanelProblems, PanelProblems
	s.Session.Host.Drift, s.Session.Host.Unseen, s.Session.Host.Forks = 3, 2, 1
	s.Problems = list(1,
		Problem{"host state", "the host has not seen the newest 2 messages; their refs are those that it would give next"},
		Problem{"drift b3", "host: nothing; replay: tier 1, active, 12 messages. Likely: the host's file is older than the transcript: it has not seen the newest 2 messages"},
		Problem{"drift m00034–m00060", "host: m00034–m00060; replay: m00033–m00059. Likely: the host has numbered 1 messages that are not in this list: of a branch that was left, or from before a compaction"},
		Problem{"drift baseline", "host: 0; replay: 3474. Likely: the host has shown no nudge: it is switched off there, set differently from here, or its state was begun anew"})
	place(&s)
	return s
}

// hostEncrypted is a session whose host keeps a state that cannot be read.
func hostEncrypted(w, h int) Screen {
	s := hosted(w, h)
	s.Session.Host = Host{Note: "the state is encrypted; only the host has its key"}
	return s
}
