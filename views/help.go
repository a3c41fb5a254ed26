package views

// word is a term of the screen with what it means.
type word struct{ name, means string }

// words are the terms that the panels use.
var words = []word{
	{"context", "everything that is sent to the model with the next request, counted in tokens"},
	{"window", "the most tokens that the model takes"},
	{"nudge", "a text that asks the agent to compress; it is put into the agent's context"},
	{"fold", "to let a summary stand for messages: their text is no longer sent"},
	{"block", "the summary that stands for folded messages, b1, b2, …"},
	{"ref", "the number of a message, m00012: what a compress call names"},
	{"range", "neighbouring messages that may be compressed"},
	{"batch", "ranges joined until the executor would take them in one call"},
	{"candidate", "a piece that a call could name as it stands: one bulky message or tool call (micro), or small neighbours together (episode)"},
	{"executor", "what carries out a compress call; its verdict is what it would answer"},
	{"gate", "one condition that was asked; the size gate is the least size of a call"},
	{"pending", "tokens that a tier could reclaim now"},
	{"tier", "T1 folds messages, T2 the summaries of T1, T3 the summaries of T2"},
	{"step", "tokens that a tier must hold before growth leads to a nudge"},
	{"floor", "tokens that the context must grow between two nudges"},
	{"growth", "tokens gained since the last nudge, else since the baseline"},
	{"baseline", "the context size at which counting of growth began"},
	{"stamp", "the context size at which something was remembered, such as the last nudge"},
	{"cadence", "a tier that was asked for waits for the floor before it is asked for again"},
	{"slot", "whose turn it is when several tiers are ready"},
	{"band", "normal, over-limit or emergency: how full the context is"},
	{"first sight", "much stood ready when the session was met: a nudge without growth"},
	{"recent zone", "the newest messages and the last one of the user: not offered"},
	{"protected", "never folded, because of its tool or an image"},
	{"sent", "what the agent would be sent: the list without what is folded or hidden"},
	{"hidden", "not sent: an old compress call none of whose blocks still stands"},
	{"unpaired", "not sent: a call without its result, a result without its call, or reasoning without a reply"},
	{"wider, less", "a call folds wider when halves of a pair or a turn are pulled in, less when some messages stay"},
	{"reported", "counted by the provider of the model; estimate: counted by the kernel's rule of thumb"},
	{"overhead", "what the provider counts and no file shows: the system prompt and the tools"},
	{"ratio", "the prompt that was reported to the estimate of what was sent"},
	{"host gate", "what a host that guards against nudge loops asks beside the kernel before it sends a nudge"},
	{"ledger", "every gate of the decision with what would flip it: the Nudge panel, zoomed (4, z)"},
	{"host state", "what a compression plugin keeps of the session: where it is read, blocks, refs and stamps are its own"},
	{"drift", "what the host's state says otherwise than a replay of the transcript; p lists each with its likely cause"},
	{"parity alarm", "a compress call that the host answered otherwise than the executor does here"},
	{"what-if", "a copy of the session to try a call on; the session itself is never touched"},
}

// help draws the keys of every context and what the words mean.
func help(s *Screen, st *Styles, width, lines int) []string {
	return excerpt(helpLines(s, st, width), scrolled(s, PanelHelp), lines, width)
}

func helpLines(s *Screen, st *Styles, width int) []string {
	if width < fullColumns {
		return append(keyLines(s.Keys, st, width), wordLines(s, st, width)...)
	}
	left := width / 2
	return beside(keyLines(s.Keys, st, left), wordLines(s, st, width-left), left, width-left)
}

// keyLines lists the bindings group by group.
func keyLines(groups []KeyGroup, st *Styles, width int) []string {
	var out []string
	for _, g := range groups {
		if len(g.Keys) == 0 {
			continue
		}
		out = append(out, plainLine(st.title, " "+g.Title, width))
		for _, b := range g.Keys {
			out = entry(out, st, b.Help().Key, b.Help().Desc, width)
		}
		out = append(out, plainLine(paint{}, "", width))
	}
	return out
}

// wordLines explains the words.
func wordLines(s *Screen, st *Styles, width int) []string {
	out := []string{plainLine(st.title, " What the words mean", width)}
	for _, w := range words {
		if w.name == "ref" && s.Session.Counting != "" {
			w.means += "; in this session refs number " + s.Session.Counting
		}
		out = entry(out, st, w.name, w.means, width)
	}
	return out
}

// entry adds a name and what it means, in as many lines as that takes.
func entry(out []string, st *Styles, name, means string, width int) []string {
	for _, part := range Wrap(means, max(1, width-16)) {
		l := newLine(width)
		l.gap(2)
		l.cell(st.focus, name, 13)
		l.rest(paint{}, part)
		out = append(out, l.String())
		name = ""
	}
	return out
}

// beside puts two columns of lines side by side.
func beside(left, right []string, leftWidth, rightWidth int) []string {
	out := make([]string, max(len(left), len(right)))
	for i := range out {
		a, b := spaces(leftWidth), spaces(rightWidth)
		if i < len(left) {
			a = left[i]
		}
		if i < len(right) {
			b = right[i]
		}
		out[i] = a + b
	}
	return out
}
