package headless

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// longestText is how many characters of one text of a transcript are written
// for people; JSON has it whole.
const longestText = 4096

// printable gives text as a terminal may be sent it: control, bidi and
// invisible characters are written out, line feeds stay.
func printable(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '\n' || unicode.IsGraphic(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
	}
	return b.String()
}

// Sentence gives an error or a warning as a terminal may be sent it: on one
// line, so that the name of a file cannot look like a message of its own.
func Sentence(text string) string {
	return printable(strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", `\n`))
}

// oneLine keeps a text of a transcript in its line, and its line short enough
// to be read.
func oneLine(text string) string {
	return cutTo(strings.Join(strings.Fields(text), " "), longestText)
}

// warning writes one sentence about what could not be read or used.
func warning(w io.Writer, sentence string) error {
	_, err := fmt.Fprintf(w, "ctxscope: warning: %s\n", Sentence(oneLine(sentence)))
	return err
}

// writeJSON writes a value for people and programs alike.
func writeJSON(w io.Writer, value any) error {
	e := newEncoder(w)
	e.SetIndent("", " ")
	if err := e.Encode(value); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}

// newEncoder gives an encoder whose JSON a terminal may be sent.
func newEncoder(w io.Writer) *json.Encoder {
	e := json.NewEncoder(plainJSON{w})
	e.SetEscapeHTML(false)
	return e
}

// plainJSON writes control, bidi and invisible characters in JSON as escapes,
// which stand for the same. It is given whole values.
type plainJSON struct{ w io.Writer }

func (p plainJSON) Write(data []byte) (int, error) {
	var out []byte // once something had to be escaped
	done := 0
	for i := 0; i < len(data); {
		if c := data[i]; c < 0x7f {
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		if !unicode.IsGraphic(r) {
			out = appendEscape(append(out, data[done:i]...), r)
			done = i + size
		}
		i += size
	}
	if out == nil {
		return p.w.Write(data)
	}
	if _, err := p.w.Write(append(out, data[done:]...)); err != nil {
		return 0, err
	}
	return len(data), nil
}

func appendEscape(out []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return fmt.Appendf(out, `\u%04x\u%04x`, high, low)
	}
	return fmt.Appendf(out, `\u%04x`, r)
}
