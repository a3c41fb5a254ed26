package demo

import (
	"context"
	"fmt"
	"sync"
	"time"

	"ctxscope/kernel"
	"ctxscope/watch"
	"ctxscope/watch/decode"
)

// pace is how many seconds of the session pass in one second of play at speed
// 1.
const pace = 3.9

// rest is how long the end of the session stands before it starts over, in
// time of play.
const rest = 12 * time.Second

// noted is how long it is said that the session started over, in time of play.
const noted = 5 * time.Second

// The speeds that SetSpeed allows.
const (
	MinSpeed = 0.25
	MaxSpeed = 16
)

// Player is the demo as a watch.Source. Next waits until the next record is
// due; after the last one the session starts over with a Reset. Pause,
// SetSpeed and Text may be called beside Next.
type Player struct {
	clock   clock
	count   kernel.Counter
	data    []byte
	records []record
	wake    chan struct{} // the pace was changed

	mu       sync.Mutex
	paused   bool
	speed    float64
	position time.Duration // of play, when since was
	since    time.Time

	next     int // record that is written next
	lines    watch.Lines
	decoder  decode.Decoder
	modified time.Time
	over     bool // the session starts over at its beginning
}

// clock is the time that a Player plays in.
type clock struct {
	now   func() time.Time
	after func(time.Duration) <-chan time.Time
}

// Open starts the demo at its beginning. Messages are measured with count; nil
// means the kernel's estimate.
func Open(count kernel.Counter) (*Player, error) {
	return open(count, clock{time.Now, time.After})
}

func open(count kernel.Counter, c clock) (*Player, error) {
	data, err := session()
	if err != nil {
		return nil, fmt.Errorf("demo session: %w", err)
	}
	records, err := schedule(data)
	if err != nil {
		return nil, fmt.Errorf("demo session: %w", err)
	}
	return &Player{
		clock: c, count: count, data: data, records: records, wake: make(chan struct{}, 1),
		speed: 1, since: c.now(), decoder: decode.New("", count),
	}, nil
}

// Again is the same demo at the same moment, measured with another counter: its
// first Next gives what was written so far.
func (p *Player) Again(count kernel.Counter) *Player {
	p.mu.Lock()
	defer p.mu.Unlock()
	return &Player{
		clock: p.clock, count: count, data: p.data, records: p.records, wake: make(chan struct{}, 1),
		paused: p.paused, speed: p.speed, position: p.played(), since: p.clock.now(),
		decoder: decode.New("", count), over: p.over,
	}
}

// Pause stops the play or lets it go on.
func (p *Player) Pause(paused bool) {
	p.change(func() { p.paused = paused })
}

// SetSpeed plays speed times as fast as normal, between MinSpeed and MaxSpeed.
func (p *Player) SetSpeed(speed float64) {
	p.change(func() { p.speed = min(max(speed, MinSpeed), MaxSpeed) })
}

// change alters the pace from now on and lets Next see it.
func (p *Player) change(alter func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.position, p.since = p.played(), p.clock.now()
	alter()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// played is the time of play so far.
func (p *Player) played() time.Duration {
	if p.paused {
		return p.position
	}
	return p.position + time.Duration(float64(p.clock.now().Sub(p.since))*p.speed)
}

// Next waits until a record is due or the pace was changed.
func (p *Player) Next(ctx context.Context) (watch.Event, error) {
	for {
		select {
		case <-ctx.Done():
			return watch.Event{}, ctx.Err()
		case <-p.wake:
			return p.event(false), nil
		default:
		}
		event, wait, err := p.step()
		if err != nil || wait == 0 {
			return event, err
		}
		var due <-chan time.Time
		if wait > 0 {
			due = p.clock.after(wait)
		}
		select {
		case <-ctx.Done():
		case <-due:
		case <-p.wake:
			return p.event(false), nil
		}
	}
}

// step writes what is due and gives its event; with nothing due it gives the
// time to wait, negative while the play is paused.
func (p *Player) step() (watch.Event, time.Duration, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	played, reset := p.played(), false
	if p.next == len(p.records) && played >= p.records[p.next-1].at+rest {
		p.next, p.lines, p.decoder, reset = 0, watch.Lines{}, decode.New("", p.count), true
		p.over = true
		p.position, p.since, played = 0, p.clock.now(), 0
	}
	from := p.next
	for p.next < len(p.records) && p.records[p.next].at <= played {
		r := p.records[p.next]
		if err := p.lines.Feed(p.data[p.lines.Read():r.end], p.decoder.Line); err != nil {
			return watch.Event{}, 0, fmt.Errorf("demo session: %w", err)
		}
		p.next++
	}
	switch {
	case p.next > from:
		p.modified = p.clock.now()
		return p.eventLocked(reset), 0, nil
	case p.paused:
		return watch.Event{}, -1, nil
	}
	at := p.records[len(p.records)-1].at + rest
	if p.next < len(p.records) {
		at = p.records[p.next].at
	}
	return watch.Event{}, max(1, time.Duration(float64(at-played)/p.speed)), nil
}

func (p *Player) event(reset bool) watch.Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.eventLocked(reset)
}

func (p *Player) eventLocked(reset bool) watch.Event {
	status := watch.Status{
		Name: "demo", Mode: watch.ModeDemo, Live: !p.paused,
		Read: p.lines.Read(), Size: p.lines.Read(), Modified: p.modified.UnixMilli(),
	}
	if p.over && p.played() < noted {
		status.Note = "the demo started over"
	}
	return watch.Event{Reset: reset, Change: p.decoder.Change(), Session: p.decoder.Session(), Status: status}
}

// Text reads the text of m from the part of the session that was written.
func (p *Player) Text(m kernel.Message) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	end := m.Source.Offset + m.Source.Length
	if m.Source.Length <= 0 || m.Source.Offset < 0 || end > p.lines.Read() {
		return "", fmt.Errorf("the text of message %s is not in the demo: it has started over since", m.ID)
	}
	text, ok := p.decoder.Text(p.data[m.Source.Offset:end], m.Source.Part)
	if !ok {
		return "", fmt.Errorf("the text of message %s is not in its record", m.ID)
	}
	return text, nil
}

// Close ends the demo.
func (p *Player) Close() error { return nil }
