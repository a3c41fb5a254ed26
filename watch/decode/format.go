package decode

import (
	"fmt"

	"ctxscope/kernel"
)

// Format is one way of writing sessions down.
type Format struct {
	Name string // as in Session.Format
	New  func(kernel.Counter) Decoder
}

// Formats are the formats that can be read.
var Formats = []Format{
	{"pi", newPi},
	{"claude", newClaude},
	{"codex", newCodex},
	{"gemini", newGemini},
	{"opencode", newOpenExport},
	{"proxy", newProxy},
	{"core", newCore},
}

// New returns a decoder for one session in the format of that name, or, when
// the name is empty, one that finds the format from the content: its journal
// stays empty until it has. Messages are measured with count; nil means
// kernel.Estimate. An unknown name panics.
func New(format string, count kernel.Counter) Decoder {
	if format == "" {
		return &detecting{count: count}
	}
	for _, f := range Formats {
		if f.Name == format {
			return f.New(count)
		}
	}
	panic(fmt.Sprintf("decode: no format is named %q", format))
}

// detecting is a Decoder that holds lines back until their format is known.
type detecting struct {
	count   kernel.Counter
	lines   lines
	signs   signs
	held    []heldLine
	size    int    // bytes of the lines held
	format  string // once it is known
	refused string
	chosen  Decoder
}

type heldLine struct {
	line []byte
	at   Place
}

const (
	maxRecords = 50  // records that may be looked at
	maxText    = 200 // lines without a record that may stand before the first one

	// maxHeld is how many bytes are held back for a format that is not known.
	maxHeld = 256 << 20
)

func (d *detecting) Line(line []byte, at Place) {
	if d.chosen != nil {
		d.chosen.Line(line, at)
		return
	}
	if d.refused != "" {
		return
	}
	d.held = append(d.held, heldLine{append([]byte(nil), line...), at})
	d.size += len(line)
	if d.look(line, at); !d.settled() && d.size > maxHeld {
		d.refused = "its first 256 MiB do not tell which agent wrote the file"
	}
	if d.format != "" {
		d.chosen = New(d.format, d.count)
		for _, h := range d.held {
			d.chosen.Line(h.line, h.at)
		}
	}
	if d.settled() {
		d.held = nil
	}
}

func (d *detecting) settled() bool { return d.format != "" || d.refused != "" }

// look takes one more line into account.
func (d *detecting) look(line []byte, at Place) {
	found, before := "", d.signs.records
	d.lines.each(line, at, func(rec value, _ kernel.Source) string {
		if found == "" {
			found = d.signs.record(rec)
		}
		return ""
	})
	if d.signs.records == before {
		found = d.signs.text(line)
	}
	switch {
	case found == "":
		d.refused = d.signs.giveUp()
	case readable(found):
		d.format = found
	default:
		d.refused = refusal(found)
	}
}

func readable(name string) bool {
	for _, f := range Formats {
		if f.Name == name {
			return true
		}
	}
	return false
}

func (d *detecting) Change() kernel.Change {
	if d.chosen != nil {
		return d.chosen.Change()
	}
	return kernel.Change{}
}

func (d *detecting) Session() Session {
	if d.chosen != nil {
		return d.chosen.Session()
	}
	return Session{Refused: d.refused}
}

func (d *detecting) Text(record []byte, part int32) (string, bool) {
	if d.chosen != nil {
		return d.chosen.Text(record, part)
	}
	return "", false
}
