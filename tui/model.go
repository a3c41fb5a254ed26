package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"ctxscope/kernel"
	"ctxscope/keymap"
	"ctxscope/views"
	"ctxscope/watch"
	"ctxscope/watch/decode"
	"ctxscope/watch/hoststate"
	"ctxscope/watch/settings"
)

// Options say what the screen shows.
type Options struct {
	Source  watch.Source   // is closed when the program ends
	Counter string         // the name of the counter that Source measures with, for example "estimate"
	Count   kernel.Counter // that counter; nil means the kernel's estimate
	Choice  settings.Choice
	Hosts   *hoststate.Machine // where the states of hosts are looked for; nil: nowhere, a replay alone judges

	// Open opens the same session once more from its start, measured with the
	// counter of that name. Nil: it cannot be opened again. It may take its
	// time, but does not read the session.
	Open     func(counter string) (Opened, error)
	Counters []string // names that Open knows, in the order in which a key goes through them

	Session      string         // the id of the session, in a file that holds many
	Machine      *watch.Machine // whose sessions can be chosen; nil: none
	Pick         bool           // start with the list of sessions
	FollowLatest bool           // go with the agent into other sessions
	// Layers reads the settings that the host of a session has. Nil: they are
	// not looked for.
	Layers func(decode.Session) []settings.Layer
	// OpenFile opens another session, like Open. Nil: none can be opened.
	OpenFile func(path, session, counter string) (Opened, error)
	// Scout waits for the agent to go on in another session than the one at
	// path, whose working folder is folder. Nil: it is not looked for.
	Scout func(path, session, folder string) Scout
}

// Opened is a session opened with another counter.
type Opened struct {
	Source watch.Source
	Count  kernel.Counter
}

// Player is a source that plays by itself, like the demo. Both methods may be
// called beside Next and return at once.
type Player interface {
	Pause(paused bool)
	SetSpeed(speed float64) // times normal speed
}

// Model is the state of the screen. An old Model is a snapshot: Update leaves
// it as it was, except for the text that is being typed.
type Model struct {
	ctx    context.Context
	opts   Options
	keys   keymap.Map
	styles views.Styles
	errand errands // how the terminal and the clock are reached

	width, height int
	now           int64 // epoch milliseconds, 0 before the first tick

	feeds int    // sources opened so far
	gens  int    // generations of runs begun so far
	live  track  // the session on the screen
	next  *track // the same session with another counter or window, until it is complete

	session  string   // the id of the live session, in a file that holds many
	going    *going   // a session that is being opened to take the screen
	trail    []target // the sessions that were left for one of a subagent, the newest last
	chooser  chooser
	scout    Scout // nil before it was sent out
	scouting bool
	endScout context.CancelFunc
	offer    *watch.Successor // where the agent went on; nil: nowhere
	beside   *track           // the live session measured with another counter; nil: nobody asked
	noBeside int              // the feed of the live session of which there is none
	begun    int              // the version at which the live session took the screen

	host     host
	insight  insight
	looking  bool // an insight is being worked out
	checkup  checkup
	muted    []string // codes of findings that are left out
	version  int      // of the shown scene
	verdicts map[span]judged
	judging  bool

	focus  views.Panel
	last   views.Panel // the list that had the focus last
	before views.Panel // what had the focus before the help, the problems or the form
	zoom   bool
	scroll int
	lists  [views.Panels]list
	reader reader
	form   form
	note   string

	paused bool
	speed  float64

	interrupted bool
	fault       *PanicError
}

// errands are the commands that reach out of the program. Tests leave them
// out.
type errands struct {
	now     tea.Cmd // the time at once
	tick    func() tea.Cmd
	suspend func() tea.Cmd
	relieve tea.Cmd // gives memory back that reading took
	copy    func(text string) tea.Cmd
}

// judged is the verdict of a row and the version of the scene that it is of.
type judged struct {
	version int
	verdict kernel.Verdict
}

// New makes the model. The renderer says which colours the terminal has. The
// commands of the model end with ctx.
func New(ctx context.Context, opts Options, renderer *lipgloss.Renderer) Model {
	m := Model{
		ctx: ctx, opts: opts, keys: keymap.Default(), styles: views.NewStyles(renderer),
		feeds: 1, gens: 1, live: track{
			feed: 1, gen: 1, source: opts.Source, counter: opts.Counter, count: opts.Count,
		},
		focus: views.PanelBatches, last: views.PanelBatches, speed: 1,
		form: newForm(), host: newHost(opts.Hosts), session: opts.Session,
	}
	if opts.Pick && opts.Machine != nil {
		m = m.turn(views.PanelSessions)
	}
	if _, ok := opts.Source.(Player); ok {
		m.keys = keymap.Demo()
	}
	m.lists[views.PanelMessages].tail = true
	m.lists[views.PanelBlocks].tail = true
	m.lists[views.PanelTokens].tail = true
	return m
}

// Init starts to listen.
func (m Model) Init() tea.Cmd {
	return tea.Batch(m.live.listen(m.ctx), m.errand.now)
}

func (m Model) tick() tea.Cmd {
	if m.errand.tick == nil {
		return nil
	}
	return m.errand.tick()
}

// shown is the scene on the screen.
func (m *Model) shown() *scene { return m.live.shown() }

// say puts a sentence into the foot line, until the next key.
func (m Model) say(note string) Model {
	m.note = note
	return m
}
