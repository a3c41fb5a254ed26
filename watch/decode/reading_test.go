package decode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"ctxscope/kernel"
)

// reading is one session file, read to its end.
type reading struct {
	path    string
	data    []byte
	tail    bool // an unfinished last line
	decoder Decoder
	journal []kernel.Entry
	log     []kernel.Message
	parts   []kernel.Message
	session Session
}

// fileLine is a whole line and where it stands.
type fileLine struct {
	text []byte
	at   Place
}

// wholeLines are the lines of a file. The last one counts without its LF too
// when it is whole or ends the object that the file is; else tail is true.
func wholeLines(data []byte) (lines []fileLine, tail bool) {
	var offset int64
	document := json.Valid(data)
	for number := 1; len(data) > 0; number++ {
		text, rest, ended := bytes.Cut(data, []byte("\n"))
		if blank := len(bytes.Trim(text, "\x00\r ")) == 0; !ended && !blank && !document && !json.Valid(text) {
			return lines, true
		}
		lines = append(lines, fileLine{text, Place{number, offset}})
		offset += int64(len(text)) + 1
		data = rest
	}
	return lines, false
}

// follow reads lines and asks for changes where ask says so, as well as at
// the end. It gives the journal that the changes add up to.
func follow(d Decoder, lines []fileLine, ask func(i int) bool) []kernel.Entry {
	journal := []kernel.Entry{}
	take := func() {
		c := d.Change()
		journal = append(journal[:c.Keep:c.Keep], c.Entries...)
	}
	for i, l := range lines {
		text := bytes.Clone(l.text)
		d.Line(text, l.at)
		for j := range text {
			text[j] = '#' // a decoder must not keep the slice
		}
		if ask(i) {
			take()
		}
	}
	take()
	return journal
}

func never(int) bool  { return false }
func always(int) bool { return true }

func readData(data []byte) *reading {
	r := &reading{data: data, decoder: New("", nil)}
	var lines []fileLine
	lines, r.tail = wholeLines(data)
	r.journal = follow(r.decoder, lines, never)
	r.session = r.decoder.Session()
	r.log = fold(r.journal)
	r.parts = r.log
	if p, ok := chosen(r.decoder).(Parter); ok {
		r.parts = p.Parts()
	}
	return r
}

func chosen(d Decoder) Decoder {
	if d, ok := d.(*detecting); ok {
		return d.chosen
	}
	return d
}

// fold is the list that a journal leaves.
func fold(journal []kernel.Entry) []kernel.Message {
	var log []kernel.Message
	for _, e := range journal {
		switch e.Op {
		case kernel.Append:
			log = append(log, e.Message)
		case kernel.Replace:
			log = slices.Clone(e.List)
		case kernel.Remove:
			log = slices.DeleteFunc(log, func(m kernel.Message) bool { return slices.Contains(e.IDs, m.ID) })
		}
	}
	return log
}

// text reads the text of a message again.
func (r *reading) text(m kernel.Message) (string, error) {
	s := m.Source
	if s.Offset < 0 || s.Length <= 0 || s.Offset+s.Length > int64(len(r.data)) {
		return "", fmt.Errorf("%s: source %+v is outside the file", m.ID, s)
	}
	text, ok := r.decoder.Text(r.data[s.Offset:s.Offset+s.Length], s.Part)
	if !ok {
		return "", fmt.Errorf("%s: its record does not hold part %d", m.ID, s.Part)
	}
	return text, nil
}

// checkLaws holds what is true of every file: the journal and the session
// depend on the lines alone, not on when they were asked for, and the text
// that is read again is the text that was measured.
func checkLaws(r *reading, data []byte) []error {
	var errs []error
	lines, _ := wholeLines(data)
	errs = append(errs, sameJournal(r, lines, "", "asked after every line", always)...)
	if r.session.Format != "" {
		errs = append(errs, sameJournal(r, lines, r.session.Format, "with the format given", never)...)
	}
	step := max(1, len(lines)/100)
	for k := 0; k < len(lines); k += step {
		errs = append(errs, sameJournal(r, lines, "", fmt.Sprintf("asked after line %d", k+1), func(i int) bool { return i == k })...)
	}
	for _, m := range slices.Concat(r.log, r.parts) {
		text, err := r.text(m)
		if err == nil && (kernel.Len16(text) != m.Chars || kernel.Estimate(text) != m.Tokens) {
			err = fmt.Errorf("%s (part %d): measured %d chars and %v tokens, the text has %d and %v",
				m.ID, m.Source.Part, m.Chars, m.Tokens, kernel.Len16(text), kernel.Estimate(text))
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	var tokens kernel.Tokens
	images := 0
	for _, m := range r.parts {
		tokens += m.Tokens
		images += int(m.Images)
	}
	if meter := r.session.Meter; meter.Parts != len(r.parts) || meter.Tokens != tokens || meter.Images != images {
		errs = append(errs, fmt.Errorf("the meter has %d parts, %v tokens, %d images; the parts are %d with %v and %d",
			meter.Parts, meter.Tokens, meter.Images, len(r.parts), tokens, images))
	}
	return errs
}

func sameJournal(r *reading, lines []fileLine, format, how string, ask func(int) bool) []error {
	d := New(format, nil)
	journal := follow(d, lines, ask)
	switch {
	case !reflect.DeepEqual(journal, r.journal):
		return []error{fmt.Errorf("%s the journal is\n%s\ninstead of\n%s", how, short(journal), short(r.journal))}
	case !reflect.DeepEqual(d.Session(), r.session):
		return []error{fmt.Errorf("%s the session is\n%+v\ninstead of\n%+v", how, d.Session(), r.session)}
	}
	return nil
}

// short is a journal on one line.
func short(journal []kernel.Entry) string {
	var b strings.Builder
	for _, e := range journal {
		switch e.Op {
		case kernel.Append:
			fmt.Fprintf(&b, " %s", e.Message.ID)
		case kernel.Reply:
			fmt.Fprintf(&b, " reply(%s)", e.ReplyID)
		case kernel.Usage:
			fmt.Fprintf(&b, " usage(%v)", e.Used)
		case kernel.Replace:
			b.WriteString(" replace(")
			for i, m := range e.List {
				if i > 0 {
					b.WriteByte(' ')
				}
				b.WriteString(m.ID)
			}
			b.WriteByte(')')
		case kernel.RecordedTurn:
			fmt.Fprintf(&b, " turn(%v)", e.Used)
		case kernel.Compress:
			fmt.Fprintf(&b, " compress(%d)", len(e.Call.Ranges))
		case kernel.Remove:
			fmt.Fprintf(&b, " remove(%s)", strings.Join(e.IDs, " "))
		case kernel.View:
			fmt.Fprintf(&b, " pruned(%v)", e.PrunedView)
		case kernel.Recording:
			b.WriteString(" recording")
		}
	}
	return strings.TrimSpace(b.String())
}

// checkLongLines makes the lines that a case describes and reads them.
func checkLongLines(path string, want expectation) []error {
	var input struct {
		Generate []struct {
			Kind      string
			TextChars int
		}
	}
	if err := readJSON(path, &input); err != nil {
		return []error{err}
	}
	var b bytes.Buffer
	parent := "null"
	for i, g := range input.Generate {
		text := strings.Repeat("x", g.TextChars)
		content := fmt.Sprintf("%q", text)
		switch g.Kind {
		case "claude-user":
		case "claude-tool-result":
			content = fmt.Sprintf(`[{"type":"tool_result","tool_use_id":"t%d","content":%q}]`, i, text)
		default:
			return []error{fmt.Errorf("kind %q of line %d is unknown", g.Kind, i+1)}
		}
		fmt.Fprintf(&b, `{"type":"user","uuid":"u%d","parentUuid":%s,"sessionId":"s","isSidechain":false,"message":{"role":"user","content":%s}}`+"\n", i, parent, content)
		parent = fmt.Sprintf(`"u%d"`, i)
	}
	r := readData(b.Bytes())
	return append(checkKeys(r, want), sameJournal(r, slices.Collect(linesOf(b.Bytes())), "", "asked after every line", always)...)
}

func linesOf(data []byte) func(func(fileLine) bool) {
	lines, _ := wholeLines(data)
	return slices.Values(lines)
}

// checkWires reads usage records as the wires write them.
func checkWires(path string, want expectation) []error {
	data, err := os.ReadFile(path)
	if err != nil {
		return []error{err}
	}
	var s scanner
	root, _, ok := s.scan(data, 0)
	if !ok {
		return []error{fmt.Errorf("it is not JSON")}
	}
	var prompt, context []any
	for rec := range root.items() {
		u, known := wireUsage(rec.get("wire").str(), rec.get("usage"))
		if !known {
			return []error{fmt.Errorf("wire %q is unknown", rec.get("wire").str())}
		}
		if !u.Known {
			prompt, context = append(prompt, nil), append(context, nil)
			continue
		}
		prompt, context = append(prompt, float64(u.Prompt)), append(context, float64(u.Tokens))
	}
	got := expectation{"promptTokens": prompt, "contextTokens": context}
	if !reflect.DeepEqual(got, want) {
		return []error{fmt.Errorf("got %v, want %v", got, want)}
	}
	return nil
}

// wireUsage reads a usage record as the decoder of that wire does.
func wireUsage(name string, usage value) (u Usage, known bool) {
	switch name {
	case "anthropic":
		return claudeWire.usage(usage), true
	case "openai-chat":
		return chatWire.usage(usage), true
	case "openai-responses":
		return responsesWire.usage(usage), true
	case "codex":
		return codexWire.usage(usage), true
	case "pi":
		return piWire.usage(usage), true
	}
	return Usage{}, false
}
