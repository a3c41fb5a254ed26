package watch

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

// A look reads no more than headSize + tailSize bytes of a file.
const (
	headSize = 40 << 10
	tailSize = 24 << 10
)

// promptSize is how much of a first prompt is kept, in bytes.
const promptSize = 400

// Look is what the two ends of a session file tell.
type Look struct {
	// Session is what the head says about the session, and the newest usage,
	// model, window and title of both ends. Its counts and problems are those
	// of the part that was read.
	Session decode.Session
	Prompt  string        // the first thing that the user asked for, on one line; may be cut
	Peak    kernel.Tokens // the largest context that the part read reports
	Refused string        // why the file is not opened, a sentence; empty when nothing speaks against it
	Read    int64         // bytes read, 64 KiB at most
	Whole   bool          // the whole file was read
}

// Look reads the two ends of the file. Of what is refused at sight it reads
// nothing.
func (f Found) Look() Look {
	if f.Refused != "" {
		return Look{Refused: f.Refused}
	}
	head, tail, err := ends(f.Path, headSize, tailSize)
	if err != nil {
		return Look{Refused: "it cannot be read: " + err.Error()}
	}
	l := Look{Read: int64(len(head) + len(tail)), Whole: tail == nil}
	l.begin(head)
	if l.Refused == "" && l.Session.Format != "" && !l.Whole {
		l.end(tail)
	}
	return l
}

// begin takes the start of the file, or all of it.
func (l *Look) begin(head []byte) {
	d := decode.New("", nil)
	var feed Lines
	take := func(line []byte, at decode.Place) { d.Line(line, at) }
	if err := feed.Feed(head, take); err != nil {
		l.Refused = "it cannot be read: " + err.Error()
		return
	}
	if l.Whole {
		feed.Early(take)
	}
	l.Session = d.Session()
	switch {
	case l.Session.Refused != "":
		l.Refused = l.Session.Refused
	case feed.number == 0 && !startsRecord(head):
		l.Refused = "its start holds no record of a session"
	}
	change := d.Change()
	l.Peak = peak(change)
	l.Prompt = promptOf(d, change, head)
}

// end takes the end of the file, from some place within a line on.
func (l *Look) end(tail []byte) {
	_, lines, ok := bytes.Cut(tail, []byte("\n"))
	if !ok {
		l.Session.Usage = decode.Usage{}
		return
	}
	d := decode.New(l.Session.Format, nil)
	var feed Lines
	take := func(line []byte, at decode.Place) {
		// A first line is special only at the start of its file.
		d.Line(line, decode.Place{Number: at.Number + 1, Offset: at.Offset + 1})
	}
	if feed.Feed(lines, take) != nil {
		return
	}
	feed.Early(take)
	l.Peak = max(l.Peak, peak(d.Change()))
	s := d.Session()
	// What the head said about the context is long past.
	l.Session.Usage = s.Usage
	l.Session.Model = orElse(s.Model, l.Session.Model)
	l.Session.Title = orElse(s.Title, l.Session.Title)
	if s.Window > 0 {
		l.Session.Window = s.Window
	}
}

func peak(c kernel.Change) kernel.Tokens {
	most := kernel.Tokens(0)
	for i := range c.Entries {
		if e := &c.Entries[i]; e.Op == kernel.Usage || e.Op == kernel.RecordedTurn {
			most = max(most, e.Used)
		}
	}
	return most
}

// startsRecord reports whether a file that starts like this may hold one
// record, too long to end here.
func startsRecord(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), blanks+"\x00\n")
	return len(head) > 0 && head[0] == '{'
}

// promptOf is the first text of the user that is no remark of the host's own.
func promptOf(d decode.Decoder, c kernel.Change, head []byte) string {
	for i := range c.Entries {
		m := &c.Entries[i].Message
		if c.Entries[i].Op != kernel.Append || m.Role != kernel.RoleUser || m.Type != kernel.Text {
			continue
		}
		from, to := m.Source.Offset, m.Source.Offset+m.Source.Length
		if from == to || to > int64(len(head)) {
			continue
		}
		text, ok := d.Text(head[from:to], m.Source.Part)
		text = strings.Join(strings.Fields(text[:min(len(text), promptSize)]), " ")
		if ok && text != "" && text[0] != '<' && !strings.HasPrefix(text, "Caveat:") && !strings.HasPrefix(text, "# AGENTS.md") {
			return strings.ToValidUTF8(text, "")
		}
	}
	return ""
}

// ends reads the first bytes of the regular file at path, first of them at
// most, and the last ones, last at most, without reading a byte twice. tail is
// nil when head is the whole file. It never waits.
func ends(path string, first, last int) (head, tail []byte, err error) {
	f, info, err := openRegular(path)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	size := info.Size()
	if head, err = part(f, 0, min(size, int64(first))); err != nil || size <= int64(first) {
		return head, nil, err
	}
	from := max(int64(first), size-int64(last))
	tail, err = part(f, from, size-from)
	return head, append([]byte{}, tail...), err
}

// part reads length bytes from offset on, fewer when the file was cut
// meanwhile.
func part(f *os.File, offset, length int64) ([]byte, error) {
	data := make([]byte, length)
	n, err := f.ReadAt(data, offset)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return data[:n], err
}
