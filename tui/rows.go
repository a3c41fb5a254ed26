package tui

import (
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/kernel"
	"ctxscope/views"
	"ctxscope/watch/decode"
)

// listed are the panels that hold a list.
var listed = [...]views.Panel{
	views.PanelBatches, views.PanelRanges, views.PanelMessages, views.PanelBlocks, views.PanelCandidates,
	views.PanelProblems, views.PanelDoctor, views.PanelOutcomes, views.PanelSessions, views.PanelTokens,
}

func isList(p views.Panel) bool {
	for _, q := range listed {
		if p == q {
			return true
		}
	}
	return false
}

// content is what the lists are made of: one scene, what was worked out of it
// and the problems beside it.
type content struct {
	*scene
	plan    *kernel.Plan // nil: none was asked for
	found   []finding
	chooser *chooser
	notices []views.Problem  // about the session as a whole
	lines   []decode.Problem // about single lines
}

func (m *Model) content() content {
	c := content{scene: m.shown(), found: m.checkup.rows, chooser: &m.chooser, notices: m.notices(), lines: m.live.session.Problems}
	if m.insight.ready {
		c.plan = &m.insight.plan
	}
	return c
}

// rows is the number of rows of panel p without a filter.
func (c content) rows(p views.Panel) int {
	if p == views.PanelProblems {
		return len(c.notices) + len(c.lines)
	}
	if p == views.PanelSessions {
		return len(c.chooser.rows)
	}
	if !c.ready {
		return 0
	}
	switch p {
	case views.PanelBatches:
		return c.report.Nudge.Batches.Len()
	case views.PanelRanges:
		return len(c.mixed)
	case views.PanelMessages:
		return c.run.Log().Len()
	case views.PanelBlocks:
		return len(c.blocks)
	case views.PanelCandidates:
		return c.candidates()
	case views.PanelDoctor:
		return len(c.found)
	case views.PanelOutcomes:
		return len(c.outcomes)
	case views.PanelTokens:
		return c.finished
	}
	return 0
}

// key names row i of panel p for as long as it exists.
func (c content) key(p views.Panel, i int) string {
	switch p {
	case views.PanelBatches:
		return c.report.Nudge.Batches.At(i).StartRef
	case views.PanelRanges:
		return c.rangeSpan(i).start
	case views.PanelMessages:
		return c.run.Log().At(i).ID
	case views.PanelBlocks:
		return c.blocks[i].ID
	case views.PanelCandidates:
		return c.candidateKey(i)
	case views.PanelProblems:
		p := c.problem(i)
		return p.Where + " " + p.Reason
	case views.PanelDoctor:
		return c.found[i].key()
	case views.PanelOutcomes:
		return c.outcomes[i].CallID + " " + strconv.Itoa(i)
	case views.PanelSessions:
		return c.chooser.rows[i].key
	case views.PanelTokens:
		return strconv.Itoa(i)
	}
	return ""
}

// span gives the refs of row i of panel p; both are empty when it has none.
func (c content) span(p views.Panel, i int) span {
	switch p {
	case views.PanelBatches:
		b := c.report.Nudge.Batches.At(i)
		return span{b.StartRef, b.EndRef}
	case views.PanelRanges:
		return c.rangeSpan(i)
	case views.PanelMessages:
		ref := numbered(c.run.Ref(i))
		return span{ref, ref}
	case views.PanelBlocks:
		return span{c.blocks[i].ID, c.blocks[i].ID}
	case views.PanelCandidates:
		return c.candidateSpan(i)
	}
	return span{}
}

// numbered is ref, or empty when it names nothing that a call could name.
func numbered(ref string) string {
	if ref == kernel.BlockedRef {
		return ""
	}
	return ref
}

// text is what the filter of panel p looks at in row i.
func (c content) text(p views.Panel, i int) string {
	switch p {
	case views.PanelBatches:
		s := c.span(p, i)
		return s.start + "–" + s.end
	case views.PanelRanges:
		s := c.rangeSpan(i)
		text := s.start + "–" + s.end
		if x := c.mixed[i]; x.protected {
			text += " protected " + strings.Join(c.report.Nudge.ProtectedRanges.At(int(x.index)).Tools, " ")
		}
		return text
	case views.PanelMessages:
		x, at := c.run.Log().At(i), c.run.Standing(i)
		text := strings.Join([]string{
			c.run.Ref(i), x.Role.String(), x.Type.String(), x.ToolName, string(at.Kind), at.BlockID, at.Why,
		}, " ")
		if x.Failed {
			text += " failed"
		}
		return text
	case views.PanelBlocks:
		b := &c.blocks[i]
		text := b.ID + " " + b.StartRef + "–" + b.EndRef
		if b.Topic != nil {
			text += " " + *b.Topic
		}
		return text
	case views.PanelCandidates:
		return c.candidateText(i)
	case views.PanelProblems:
		p := c.problem(i)
		return p.Where + " " + p.Reason
	case views.PanelDoctor:
		return c.found[i].Title + " " + c.found[i].What + " " + c.found[i].key()
	case views.PanelOutcomes:
		return outcomeText(&c.outcomes[i])
	case views.PanelTokens:
		t := c.run.Turns().At(i)
		return "turn " + strconv.Itoa(t.Number) + " " + string(t.Used.Source)
	}
	return ""
}

// problem is row i of the Problems panel.
func (c content) problem(i int) views.Problem {
	if i < len(c.notices) {
		return c.notices[i]
	}
	p := c.lines[i-len(c.notices)]
	return views.Problem{Where: p.Where(), Reason: p.Reason}
}

// notices is what went wrong with the session as a whole, in words.
func (m *Model) notices() []views.Problem {
	var out []views.Problem
	if m.live.failure != nil {
		out = append(out, views.Problem{Where: "source", Reason: m.live.failure.Error()})
	}
	if r := m.live.session.Refused; r != "" {
		out = append(out, views.Problem{Where: "source", Reason: r})
	}
	if n := m.live.session.Meter.Unknown; n > 0 {
		out = append(out, views.Problem{Where: "transcript", Reason: "records of types that are not known here, passed over: " + views.Number(n)})
	}
	if m.live.outdated {
		out = append(out, views.Problem{Where: "window", Reason: "The window of this session has changed: start ctxscope again to judge with it."})
	}
	if d := m.live.live.diverged; d != "" {
		out = append(out, views.Problem{Where: "replay", Reason: d})
	}
	for _, p := range m.live.setting.Problems {
		out = append(out, views.Problem{Where: p.Where, Reason: p.Reason})
	}
	out = append(append(out, m.hostNotices()...), alarmNotices(m.live.live.outcomes)...)
	return append(out, m.chooser.refused...)
}

// judge starts the verdicts of the visible ranges and batches that have none
// of this scene, one job at a time.
func (m Model) judge() (Model, tea.Cmd) {
	scene := m.shown()
	if m.judging || !scene.ready || m.live.kernel == nil {
		return m, nil
	}
	spans := m.unjudged()
	if len(spans) == 0 {
		return m, nil
	}
	m.judging = true
	k, run, version := m.live.kernel, scene.run, m.version
	return m, guard(func() tea.Msg {
		verdicts := make(map[span]kernel.Verdict, len(spans))
		for _, s := range spans {
			verdicts[s] = k.Check(run, kernel.Call{Ranges: []kernel.CallRange{{StartRef: s.start, EndRef: s.end}}})
		}
		return judgedMsg{version: version, verdicts: verdicts}
	})
}

// unjudged are the visible rows that a call could name and that have no
// verdict of the shown scene.
func (m *Model) unjudged() []span {
	var out []span
	boxes, c := m.boxes(), m.content()
	for _, p := range [...]views.Panel{views.PanelBatches, views.PanelRanges} {
		l := m.lists[p]
		for at := l.offset; at < min(l.offset+boxes.Lines(p), l.len()); at++ {
			row := l.row(at)
			if p == views.PanelRanges && c.mixed[row].protected {
				continue
			}
			s := c.span(p, row)
			if v, ok := m.verdicts[s]; !ok || v.version != m.version {
				out = append(out, s)
			}
		}
	}
	return out
}

// judged takes verdicts of rows. Those of older scenes go, once there are
// newer ones; until then they stand.
func (m Model) judged(msg judgedMsg) Model {
	m.judging = false
	if msg.version < m.begun {
		return m
	}
	verdicts := make(map[span]judged, len(m.verdicts)+len(msg.verdicts))
	for s, v := range m.verdicts {
		if v.version == m.version || msg.version != m.version {
			verdicts[s] = v
		}
	}
	for s, v := range msg.verdicts {
		verdicts[s] = judged{msg.version, v}
	}
	m.verdicts = verdicts
	return m
}
