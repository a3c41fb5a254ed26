package headless

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"ctxscope/kernel"
	"ctxscope/watch"
	"ctxscope/watch/settings"
)

// Listed is a session as `ls --json` writes it, from what the two ends of its
// file tell. Empty and zero mean that they do not tell.
type Listed struct {
	File      string           `json:"file"`
	SessionID string           `json:"session,omitempty"` // in a file that holds many sessions
	Agent     string           `json:"agent"`
	Format    string           `json:"format,omitempty"`
	Folder    string           `json:"folder"` // the working folder
	Here      bool             `json:"here"`   // it is the current one
	Title     string           `json:"title,omitempty"`
	Prompt    string           `json:"prompt,omitempty"` // the first thing that was asked for
	Model     string           `json:"model,omitempty"`
	Modified  int64            `json:"modified"`                // epoch milliseconds
	Bytes     int64            `json:"bytes"`                   // 0: not known
	Running   bool             `json:"running"`                 // written to within the last ten minutes
	Context   kernel.Tokens    `json:"contextTokens,omitempty"` // as reported last; unknown after a compaction
	Window    *settings.Window `json:"window,omitempty"`        // with contextTokens
	Subagents []Listed         `json:"subagents,omitempty"`
	Refused   string           `json:"refused,omitempty"` // why it is not opened

	about string // in a few words, for the text
}

// List writes the sessions of the machine, grouped by working folder, the
// current one first: a text for people, or an array of Listed as JSON. It reads
// at most 64 KiB of each file, and asks each store of opencode's for the sizes
// of its sessions, for half a second at most.
func List(ctx context.Context, m watch.Machine, o Options, asJSON bool) error {
	all := lookAt(ctx, m.All())
	if err := ctx.Err(); err != nil {
		return err
	}
	groups, now := m.Grouped(all), time.Now()
	if asJSON {
		return writeJSON(o.Out, listed(groups, all, now))
	}
	if len(all) == 0 {
		_, err := fmt.Fprintf(o.Err, "ctxscope: warning: %v\n", watch.ErrNoSession)
		return err
	}
	var p page
	for _, g := range groups {
		p.group(g, now)
	}
	p.notOpened(all)
	_, err := io.WriteString(o.Out, printable(p.String()))
	return err
}

// lookAt looks at what was found, on all processors.
func lookAt(ctx context.Context, found []watch.Found) []watch.Seen {
	seen := make([]watch.Seen, len(found))
	var next atomic.Int64
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(found) {
					return
				}
				seen[i] = found[i].Seen()
			}
		})
	}
	group.Wait()
	return seen
}

func listed(groups []watch.Group, all []watch.Seen, now time.Time) []Listed {
	out := []Listed{}
	for _, g := range groups {
		for _, s := range g.Sessions {
			out = append(out, listing(g, s, now))
		}
	}
	for _, s := range all {
		if s.Look.Refused != "" {
			out = append(out, Listed{
				File: s.Path, SessionID: s.Session, Agent: s.Agent, Modified: milliseconds(s.Modified), Bytes: s.Size, Refused: s.Look.Refused,
			})
		}
	}
	return out
}

func listing(g watch.Group, s watch.Seen, now time.Time) Listed {
	d := s.Look.Session
	l := Listed{
		File: s.Path, SessionID: s.Session, Agent: cmp.Or(d.Agent, s.Agent), Format: d.Format, Folder: g.Folder, Here: g.Here,
		Title: d.Title, Prompt: s.Look.Prompt, Model: d.Model, Modified: milliseconds(s.Modified), Bytes: s.Size, Running: s.Running(now),
		about: s.About(),
	}
	if d.Usage.Known && !d.Usage.Stale {
		window := settings.Resolve(settings.Choice{}, d, max(s.Look.Peak, d.Usage.Tokens)).Window
		l.Context, l.Window = d.Usage.Tokens, &window
	}
	for _, sub := range s.Subagents {
		l.Subagents = append(l.Subagents, listing(g, sub, now))
	}
	return l
}

func milliseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// group writes one working folder with its sessions.
func (p *page) group(g watch.Group, now time.Time) {
	if p.Len() > 0 {
		p.line("")
	}
	here := ""
	if g.Here {
		here = " (the current folder)"
	}
	p.line("%s%s", oneLine(g.Folder), here)
	for _, s := range g.Sessions {
		p.session(listing(g, s, now), "  ", now)
	}
}

func (p *page) session(l Listed, indent string, now time.Time) {
	state := "idle"
	if l.Running {
		state = "running"
	}
	fill := "context unknown"
	switch {
	case l.Window != nil && l.Window.Tokens > 0:
		fill = fmt.Sprintf("%s of %s tokens, %.0f %%", number(l.Context), number(l.Window.Tokens), 100*float64(l.Context)/float64(l.Window.Tokens))
	case l.Window != nil:
		fill = number(l.Context) + " tokens"
	}
	p.line("%s%-7s  %-12s  %-11s  %-9s  %s", indent, state, since(now.UnixMilli()-l.Modified), l.Agent, size(l.Bytes), fill)
	if l.about != "" {
		p.line("%s  %s", indent, cutTo(oneLine(l.about), 100))
	}
	file := l.File
	if l.SessionID != "" {
		file += " --session " + l.SessionID
	}
	p.line("%s  %s", indent, oneLine(file))
	for _, sub := range l.Subagents {
		p.session(sub, indent+"    ", now)
	}
}

// notOpened names what was refused.
func (p *page) notOpened(all []watch.Seen) {
	first := true
	for _, s := range all {
		if s.Look.Refused == "" {
			continue
		}
		if first {
			if p.Len() > 0 {
				p.line("")
			}
			p.line("Not opened")
			first = false
		}
		p.line("  %s: %s", oneLine(s.Path), oneLine(s.Look.Refused))
	}
}

// since writes how long ago something was.
func since(milliseconds int64) string {
	s := max(0, milliseconds/1000)
	switch {
	case s < 60:
		return fmt.Sprint(s, " s ago")
	case s < 3600:
		return fmt.Sprint(s/60, " min ago")
	case s < 48*3600:
		return fmt.Sprint(s/3600, " h ago")
	}
	return fmt.Sprint(s/86400, " days ago")
}

// size writes a number of bytes; 0 is not known.
func size(bytes int64) string {
	switch {
	case bytes == 0:
		return "-"
	case bytes >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
	case bytes >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%d KB", cmp.Or((bytes+500)/1000, 1))
}

// cutTo keeps a text to so many characters.
func cutTo(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-1]) + "…"
}
