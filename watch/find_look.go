package watch

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"strings"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

// A look reads no more than headSize + tailSize bytes of a file, and less where
// a little tells enough.
const (
	headSize  = 40 << 10
	tailSize  = 24 << 10
	firstSize = 8 << 10 // of either end
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
	Size    int64         // bytes of the session, where they are not those of its file; 0: they are, or it is not known
	Whole   bool          // the whole file was read
}

// Look reads the two ends of the file. Of what is refused at sight it reads
// nothing. It never waits.
func (f Found) Look() Look {
	if f.Refused != "" {
		return Look{Refused: f.Refused}
	}
	if f.told != nil {
		return *f.told
	}
	file, info, err := openRegular(f.Path)
	if err != nil {
		return Look{Refused: "it cannot be read: " + err.Error()}
	}
	e := ends{file: file, size: info.Size()}
	l, err := look(&e)
	if err = errors.Join(err, file.Close()); err != nil {
		return Look{Refused: "it cannot be read: " + err.Error(), Read: e.read}
	}
	return l
}

// look reads a little, and more where that does not tell enough.
func look(e *ends) (Look, error) {
	for _, size := range [...]struct{ head, tail int64 }{{firstSize, firstSize}, {headSize, tailSize}} {
		if err := e.grow(size.head, size.tail); err != nil {
			return Look{}, err
		}
		l := Look{Read: e.read, Whole: len(e.head) == int(e.size)}
		l.begin(e.head)
		if l.Refused == "" && l.Session.Format != "" && !l.Whole {
			l.end(e.tail)
		}
		if l.Whole || size.head == headSize || l.Prompt != "" && l.Session.Usage.Known {
			return l, nil
		}
	}
	panic("watch: internal error: a look has no end")
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
	if feed.number == 0 && !l.Whole {
		l.cutOff(head)
	}
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
	l.Session.Model = cmp.Or(s.Model, l.Session.Model)
	if !s.Subagent { // a header in the midst of a file is that of another session
		l.Session.Title = cmp.Or(s.Title, l.Session.Title)
	}
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
		if asked := Request(text); ok && asked != "" {
			return asked
		}
	}
	return ""
}

// Request is what a text of the user asks for, on one line and cut where it is
// long. It is empty for what a host writes in the user's name.
func Request(text string) string {
	text = strings.Join(strings.Fields(text[:min(len(text), promptSize)]), " ")
	if strings.HasPrefix(text, "<") || strings.HasPrefix(text, "Caveat:") || strings.HasPrefix(text, "# AGENTS.md") {
		return ""
	}
	return strings.ToValidUTF8(text, "")
}

// ends are the first and the last bytes of a file.
type ends struct {
	file       *os.File
	size       int64
	head, tail []byte
	read       int64
}

// grow reads on until head and tail have these sizes or meet. What lies in the
// head is not in the tail, and no byte is read twice.
func (e *ends) grow(head, tail int64) error {
	more, err := e.part(int64(len(e.head)), min(head, e.size))
	if err != nil {
		return err
	}
	e.head = append(e.head, more...)
	from := max(int64(len(e.head)), e.size-tail)
	had := e.size - int64(len(e.tail))
	if had < from { // the head has reached it
		e.tail = e.tail[from-had:]
		return nil
	}
	more, err = e.part(from, had)
	e.tail = append(more, e.tail...)
	return err
}

// part reads the bytes between two offsets, fewer when the file was cut
// meanwhile.
func (e *ends) part(from, to int64) ([]byte, error) {
	if from >= to {
		return nil, nil
	}
	data := make([]byte, to-from)
	n, err := e.file.ReadAt(data, from)
	e.read += int64(n)
	return data[:n], ignoreEOF(err)
}
