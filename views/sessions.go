package views

import "ctxscope/kernel"

// SessionRow is a session of this machine, or a working folder above its
// sessions.
type SessionRow struct {
	Folder   string // on the row of a folder: which; else empty
	Here     bool   // it is the current folder
	Sessions int    // on the row of a folder: how many it has

	Agent    string
	About    string // title, or the first thing that was asked for; empty: unknown
	Modified int64  // epoch milliseconds
	Size     int64  // bytes; 0: unknown
	Context  kernel.Tokens
	Window   kernel.Tokens // 0: unknown
	Known    bool          // Context was reported and is not from before a compaction
	Running  bool          // written to lately
	Subagent bool          // of the session above
	Shown    bool          // it is on the screen
}

// Choice is the state of the list of sessions.
type Choice struct {
	Looking  bool // the list is being made
	Folders  int
	Sessions int // subagents left out
	Refused  int // files that are not opened
}

// sessionWidths are the widths of the columns of the list of sessions; 0 leaves
// a column out.
type sessionWidths struct{ state, age, agent, size, context, share int }

func sessionColumns(width int) sessionWidths {
	switch {
	case width >= 110:
		return sessionWidths{state: 15, age: 13, agent: 14, size: 9, context: 20, share: 6}
	case width >= 70:
		return sessionWidths{state: 15, age: 12, agent: 12, size: 9, share: 6}
	case width >= 50:
		return sessionWidths{state: 11, age: 11, agent: 7, share: 6}
	}
	return sessionWidths{state: 8, share: 6}
}

// sessions draws the list of sessions by working folder.
func sessions(s *Screen, st *Styles, width, lines int) []string {
	items, offset := visible(s.Sessions, lines-headLines(lines))
	c := sessionColumns(width)
	empty := "No agent has left a session on this machine."
	if s.Choice.Looking {
		empty = "Looking for sessions …"
	}
	t := table[SessionRow]{
		st: st, rows: s.Sessions, focused: s.Focus == PanelSessions,
		head:  c.head(width),
		empty: emptyList(s, &s.Sessions, empty),
		row:   func(l *line, r SessionRow) { c.row(l, s, st, r) },
		mark:  func(SessionRow) Mark { return Mark{} },
	}
	if s.Sessions.Len == 0 && s.Sessions.Filter == "" {
		t.empty = empty
	}
	return t.draw(items, offset, width, lines)
}

func (c sessionWidths) head(width int) string {
	l := newLine(width)
	l.gap(2)
	l.cell(paint{}, "state", c.state)
	l.cell(paint{}, "written", c.age)
	l.cell(paint{}, "agent", c.agent)
	l.cell(paint{}, "size", c.size)
	l.cell(paint{}, pick(c.context+c.share-1, "context", "full"), c.context+c.share)
	l.rest(paint{}, "about")
	return l.String()
}

func (c sessionWidths) row(l *line, s *Screen, st *Styles, r SessionRow) {
	if r.Folder != "" {
		here := ""
		if r.Here {
			here = "  the current folder"
		}
		l.flow(st.title, r.Folder)
		l.rest(st.faint, here+"  "+plural(r.Sessions, "session", "sessions"))
		return
	}
	state, p := "idle", st.faint
	switch {
	case r.Running:
		state, p = "running", st.good
	}
	brief := state[:3]
	if r.Shown {
		state, brief, p = "shown, "+state, "shown", st.title
	}
	under := ""
	if r.Subagent {
		under = "└ "
	}
	l.cell(p, pick(c.state-1, under+state, under+brief), c.state-1)
	l.gap(1)
	l.cell(paint{}, ago(s.Now, r.Modified), c.age-1)
	l.gap(min(1, c.age))
	l.cell(paint{}, r.Agent, c.agent-1)
	l.gap(min(1, c.agent))
	size := ""
	if r.Size > 0 {
		size = pick(c.size-1, fileSize(r.Size), number(max(1, r.Size/1000))+" KB")
	}
	l.cell(paint{}, size, c.size-1)
	l.gap(min(1, c.size))
	l.cell(paint{}, contextOf(r, c.context), c.context)
	share := "?"
	if r.Known && r.Window > 0 {
		share = percent(float64(r.Context) / float64(r.Window))
	}
	l.cell(paint{}, share, c.share)
	l.rest(paint{}, r.About)
}

// contextOf is how large the context of a session is, in cells cells.
func contextOf(r SessionRow, cells int) string {
	switch {
	case !r.Known:
		return pick(cells-1, unknown, "")
	case r.Window == 0:
		return pick(cells-1, number(r.Context), short(r.Context))
	}
	return pick(cells-1, number(r.Context)+" of "+number(r.Window), short(r.Context))
}

// sessionsCaption is what stands in the title of the list of sessions.
func sessionsCaption(s *Screen) []string {
	c := &s.Choice
	text := plural(c.Sessions, "session", "sessions") + " in " + plural(c.Folders, "folder", "folders")
	refused, looking := "", ""
	if c.Refused > 0 {
		refused = ", " + number(c.Refused) + " not opened (p says why)"
	}
	if c.Looking {
		looking = ", looking …"
	}
	return []string{text + refused + looking, text + looking, plural(c.Sessions, "session", "sessions")}
}
