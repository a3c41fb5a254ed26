package demo

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// block is one prompt, or one reply with the results of its calls.
type block struct {
	mark  string
	wait  time.Duration
	user  string
	think string
	say   string
	calls []*toolCall
	fold  *fold
}

type toolCall struct {
	tool      string
	arguments json.RawMessage
	output    string
	failed    bool
	answered  bool
}

// fold is a compress call over the messages from one mark to the one before
// another.
type fold struct {
	from, to string
	topic    string
	summary  []string
}

// readStory parses the story; its format is described at its top.
func readStory(t *testing.T) []*block {
	t.Helper()
	data, err := os.ReadFile("testdata/story.txt")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []*block
	var b *block
	for i, line := range strings.Split(string(data), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if line == "" {
			b = nil
			continue
		}
		if b == nil {
			b = &block{}
			blocks = append(blocks, b)
		}
		if err := b.add(line); err != nil {
			t.Fatalf("story.txt line %d: %v", i+1, err)
		}
	}
	return blocks
}

// add takes one line of the block.
func (b *block) add(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "mark":
		b.mark = rest
	case "wait":
		seconds, err := strconv.Atoi(rest)
		b.wait = time.Duration(seconds) * time.Second
		return err
	case "user":
		b.user = rest
	case "think":
		b.think = rest
	case "say":
		b.say = rest
	case "":
		b.say += "\n" + strings.TrimSpace(rest)
	case "call":
		tool, arguments, _ := strings.Cut(rest, " ")
		if !json.Valid([]byte(arguments)) {
			return fmt.Errorf("arguments of %s are not JSON", tool)
		}
		b.calls = append(b.calls, &toolCall{tool: tool, arguments: json.RawMessage(arguments)})
	case "fold":
		ends, topic, _ := strings.Cut(rest, " ")
		from, to, _ := strings.Cut(ends, "..")
		b.fold = &fold{from: from, to: to, topic: topic}
	case "|":
		if b.fold != nil {
			b.fold.summary = append(b.fold.summary, rest)
			return nil
		}
		return b.answer(rest, false)
	case "=", "!":
		output, err := fromTemplate(rest)
		if err != nil {
			return err
		}
		return b.answer(output, word == "!")
	default:
		return fmt.Errorf("word %q is unknown", word)
	}
	return nil
}

// answer gives output to the first call that has none.
func (b *block) answer(output string, failed bool) error {
	for _, c := range b.calls {
		if !c.answered {
			c.output, c.failed, c.answered = output, failed, true
			return nil
		}
	}
	return fmt.Errorf("an output without a call")
}

// fromTemplate writes "KIND N" or "KIND WORD N".
func fromTemplate(line string) (string, error) {
	words := strings.Fields(line)
	n, err := strconv.Atoi(words[len(words)-1])
	if err != nil || len(words) > 3 {
		return "", fmt.Errorf("template %q: want KIND, a word and a number", line)
	}
	word := ""
	if len(words) == 3 {
		word = words[1]
	}
	return write(words[0], word, n)
}
