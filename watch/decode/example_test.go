package decode_test

import (
	"fmt"
	"strings"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

// A decoder takes the lines of a file as they come. Its journal is read by
// changes: each keeps a prefix of what was given before.
func Example() {
	file := `{"type":"session","version":3,"id":"s1","timestamp":"2026-01-05T10:00:00.000Z","cwd":"/proj"}
{"type":"message","id":"a1","parentId":null,"message":{"role":"user","content":"Look."}}
{"type":"message","id":"a2","parentId":"a1","message":{"role":"assistant","content":[{"type":"text","text":"Reading."},{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}],"usage":{"input":90,"output":10}}}
`
	d := decode.New("", nil)
	var journal []kernel.Entry
	var offset int64
	for i, line := range strings.Split(strings.TrimSuffix(file, "\n"), "\n") {
		d.Line([]byte(line), decode.Place{Number: i + 1, Offset: offset})
		offset += int64(len(line)) + 1
		change := d.Change()
		journal = append(journal[:change.Keep], change.Entries...)
	}
	for _, entry := range journal {
		switch entry.Op {
		case kernel.Append:
			m := entry.Message
			record := file[m.Source.Offset : m.Source.Offset+m.Source.Length]
			text, _ := d.Text([]byte(record), m.Source.Part)
			fmt.Printf("%s %s/%s: %q\n", m.ID, m.Role, m.Type, text)
		case kernel.Reply:
			fmt.Printf("reply %s\n", entry.ReplyID)
		case kernel.Usage:
			fmt.Printf("used %v tokens\n", entry.Used)
		}
	}
	fmt.Println(d.Session().Agent, d.Session().Folder)
	// Output:
	// a1 user/text: "Look."
	// reply a2
	// a2 assistant/tool-call: "Reading.\n{\"path\":\"a.txt\"}"
	// used 100 tokens
	// pi /proj
}
