package tui

import (
	"sort"

	tea "github.com/charmbracelet/bubbletea"

	"ctxscope/kernel"
	"ctxscope/views"
)

// spending follows what the provider reported, turn by turn. It has one owner:
// following a change may write where an older value does not look.
type spending struct {
	marks []spent // ascending
}

// spent is a reply or a usage of the journal.
type spent struct {
	entry, turn         int32 // place in the journal; turns up to here
	used, prompt, cache int32 // tokens; of a reply all are negative
}

// after is the spending of the journal with c applied.
func (s spending) after(c kernel.Change) spending {
	n := sort.Search(len(s.marks), func(i int) bool { return int(s.marks[i].entry) >= c.Keep })
	s.marks = s.marks[:n]
	turn := int32(0)
	if n > 0 {
		turn = s.marks[n-1].turn
	}
	for i := range c.Entries {
		switch e := &c.Entries[i]; e.Op {
		case kernel.Reply, kernel.RecordedTurn:
			turn++
			s.marks = append(s.marks, spent{int32(c.Keep + i), turn, -1, -1, -1})
		case kernel.Usage:
			s.marks = append(s.marks, spent{int32(c.Keep + i), turn, int32(e.Used), int32(e.Prompt), int32(e.Cached)})
		}
	}
	return s
}

// of is what was reported for the request of a turn.
func (s spending) of(turn int) (spent, bool) {
	i := sort.Search(len(s.marks), func(i int) bool { return int(s.marks[i].turn) > turn }) - 1
	for ; i >= 0 && int(s.marks[i].turn) == turn; i-- {
		if s.marks[i].used >= 0 {
			return s.marks[i], true
		}
	}
	return spent{}, false
}

// besideMsg is the session opened once more, to be measured with another
// counter.
type besideMsg struct {
	feed   int
	opened Opened
	err    error
}

// measure opens the session once more while the token scales are looked at, so
// that a second counter stands beside the first.
func (m Model) measure() (Model, tea.Cmd) {
	if m.focus != views.PanelTokens || m.beside != nil || !m.live.loaded || m.opts.Open == nil || m.noBeside == m.live.feed {
		return m, nil
	}
	counter := m.otherCounter()
	if counter == "" {
		m.noBeside = m.live.feed
		return m, nil
	}
	m.feeds++
	m.gens++
	m.beside = &track{feed: m.feeds, gen: m.gens, counter: counter, informed: m.live.informed, layers: m.live.layers}
	feed, open := m.feeds, m.opts.Open
	return m, guard(func() tea.Msg {
		opened, err := open(counter)
		return besideMsg{feed, opened, err}
	})
}

// otherCounter is the counter that stands beside the one on the screen: a
// tokenizer beside the estimate, the estimate beside a tokenizer.
func (m *Model) otherCounter() string {
	for _, name := range m.opts.Counters {
		if (name == hostCounter) != (m.live.counter == hostCounter) {
			return name
		}
	}
	return ""
}

func (m Model) besideOpened(msg besideMsg) (Model, tea.Cmd) {
	switch {
	case m.beside == nil || m.beside.feed != msg.feed:
		if msg.err != nil {
			return m, nil
		}
		return m, closing(msg.opened.Source)
	case msg.err != nil:
		m.beside, m.noBeside = nil, m.live.feed
		return m.say("The session cannot be measured with a second counter: " + msg.err.Error() + "."), nil
	}
	next := *m.beside
	next.source, next.count = msg.opened.Source, msg.opened.Count
	m.beside = &next
	return m, next.listen(m.ctx)
}

// besideEvent takes an event of the session that is measured beside.
func (m Model) besideEvent(msg eventMsg) (Model, tea.Cmd) {
	m, next, cmd := m.heard(*m.beside, msg)
	m.beside = &next
	return m, cmd
}

// closeBeside ends the second measure.
func (m Model) closeBeside() (Model, tea.Cmd) {
	old := m.beside
	m.beside = nil
	if old == nil || old.source == nil {
		return m, nil
	}
	return m, closing(old.source)
}

// scales gives the finished turns as the estimate and as a tokenizer count
// them; either may be nil.
func (m *Model) scales() (estimate, tokenizer *track) {
	tracks := []*track{&m.live}
	if m.beside != nil && m.beside.live.ready {
		tracks = append(tracks, m.beside)
	}
	for _, t := range tracks {
		if t.counter == hostCounter {
			estimate = t
		} else {
			tokenizer = t
		}
	}
	return estimate, tokenizer
}

// sentAt is how much turn number i, from 0, was sent as a track counts it;
// negative when it does not tell.
func (t *track) sentAt(i int) kernel.Tokens {
	if t == nil || i < 0 || i >= t.live.run.Turns().Len() {
		return -1
	}
	return t.live.run.Turns().At(i).Sent.Tokens
}

// A reported prompt stands still or jumps when it moves by this much less or
// more than what is sent, in tokens.
const (
	frozenTokens = 1_000
	jumpTokens   = 10_000
)

// tokenRow is turn number i, from 0, on every scale.
func (m *Model) tokenRow(i int) views.TokenRow {
	estimate, tokenizer := m.scales()
	turn := m.live.live.run.Turns().At(i)
	row := views.TokenRow{
		Turn: turn.Number, Estimate: estimate.sentAt(i), Measured: tokenizer.sentAt(i), Used: turn.Used,
		Rewrite: turn.Compaction, Folds: m.foldsBefore(turn.Number),
	}
	now, ok := m.live.spent.of(turn.Number)
	if !ok {
		return row
	}
	row.Reported, row.Cached, row.Reply = kernel.Tokens(now.prompt), kernel.Tokens(now.cache), kernel.Tokens(now.used-now.prompt)
	if row.Estimate > 0 {
		row.Ratio = float64(row.Reported / row.Estimate)
	}
	before, told := m.live.spent.of(turn.Number - 1)
	if !told || row.Estimate < 0 || i == 0 || row.Rewrite || row.Folds > 0 {
		return row
	}
	sent := row.Estimate - estimate.sentAt(i-1)
	moved := row.Reported - kernel.Tokens(before.prompt)
	row.Frozen = moved == 0 && sent >= frozenTokens
	row.Jump = moved-sent >= jumpTokens || sent-moved >= jumpTokens
	return row
}

// foldsBefore counts the calls that folded between a turn and the one before.
func (m *Model) foldsBefore(turn int) int {
	folds := m.live.live.run.Folds()
	n := 0
	i := sort.Search(folds.Len(), func(i int) bool { return folds.At(i).AfterTurn >= turn-1 })
	for ; i < folds.Len() && folds.At(i).AfterTurn == turn-1; i++ {
		if folds.At(i).Applied {
			n++
		}
	}
	return n
}

// tokenScales says what the token scales are counted with, and how much stands
// in no file.
func (m *Model) tokenScales() views.TokenScales {
	_, tokenizer := m.scales()
	u := m.live.session.Usage
	s := views.TokenScales{Reported: u.Tokens, Stale: u.Known && u.Stale, InFile: m.live.session.Meter.Overhead}
	switch {
	case tokenizer != nil:
		s.Tokenizer = tokenizer.counter
	case m.beside != nil && m.beside.counter != hostCounter:
		s.Tokenizer, s.Measuring = m.beside.counter, true
	}
	if !m.live.live.ready {
		return s
	}
	for i := m.live.live.run.Turns().Len() - 1; i >= 0; i-- {
		row := m.tokenRow(i)
		if row.Reported == 0 {
			continue
		}
		sent, scale := row.Estimate, hostCounter
		if row.Measured >= 0 {
			sent, scale = row.Measured, s.Tokenizer
		}
		if sent >= 0 {
			s.Overhead, s.OverTurn, s.OverScale = row.Reported-sent, row.Turn, scale
		}
		break
	}
	return s
}

// growthView is the context over the turns.
func (m *Model) growthView() views.Growth {
	scene := &m.live.live
	if !scene.ready {
		return views.Growth{}
	}
	turns := scene.run.Turns()
	return views.Growth{Len: turns.Len(), At: func(i int) views.GrowthPoint {
		t := turns.At(i)
		return views.GrowthPoint{Tokens: t.Used.Tokens, Fold: m.foldsBefore(t.Number) > 0, Rewrite: t.Compaction, Nudge: t.Inject}
	}}
}
