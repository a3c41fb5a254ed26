package views

// Host is what is known of the state that a compression plugin keeps of the
// session. Empty: none was found, or none was looked for.
type Host struct {
	Name   string // of what was read: "Pi sidecar"; empty: nothing was
	Used   bool   // blocks, refs and stamps on the screen are the host's; else a replay's
	Saved  string // when, for people: "14:20:11"
	Forks  int    // it is the state of the session that this one was forked from so many forks ago
	Unseen int    // newest messages that the host has not numbered
	Drift  int    // differences from the replay
	Note   string // a sentence: why it is not the newest state, or why there is none
}

// source says whose blocks, refs and stamps are shown, longest form first.
func (h *Host) source() []string {
	if !h.Used {
		return []string{"replay of the transcript", "replay"}
	}
	long := "host state (" + h.Name + "), saved " + h.Saved
	switch {
	case h.Note != "": // why there is no newer one
		return []string{"last good host state, saved " + h.Saved, "last good, " + h.Saved, "last good host state"}
	case h.Forks > 0:
		long = "host state of the parent session, saved " + h.Saved
	}
	return []string{long, "host state, saved " + h.Saved, "host, " + h.Saved, "host state"}
}

// hostBrief is source for the header, once something was evaluated.
func hostBrief(s *Screen) []string {
	h := &s.Session.Host
	switch {
	case s.Report == nil:
		return nil
	case !h.Used:
		return []string{"replay"}
	}
	if h.Note != "" {
		return []string{"last good host state, saved " + h.Saved, "host, last good", "host (old)"}
	}
	return []string{"host state, saved " + h.Saved, "host " + h.Saved, "host state"}
}

// word is source in a word or two.
func (h *Host) word() string {
	if !h.Used {
		return "replay"
	}
	return "host state"
}

// drifts counts the differences between host and replay, longest form first.
func (h *Host) drifts() []string {
	if h.Drift == 0 {
		return nil
	}
	return []string{plural(h.Drift, "drift", "drifts") + " from the replay", plural(h.Drift, "drift", "drifts")}
}

// state writes whose blocks, refs and stamps are shown.
func (w *nudgeWriter) state() {
	h := &w.s.Session.Host
	source := h.source()
	var texts []string
	for _, text := range source[:len(source)-1] {
		for _, drifts := range h.drifts() {
			texts = append(texts, text+"; "+drifts)
		}
		if h.Drift == 0 {
			texts = append(texts, text)
		}
	}
	p := paint{}
	if h.Drift > 0 || h.Note != "" {
		p = w.st.warn
	}
	w.fact("state", p, append(texts, source...)...)
}
