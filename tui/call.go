package tui

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf16"

	"ctxscope/kernel"
)

// written form of a compress call's arguments, as agents write them.
type (
	wireCall struct {
		Content []wireRange `json:"content"`
	}
	wireRange struct {
		StartID string  `json:"startId"`
		EndID   string  `json:"endId"`
		Summary string  `json:"summary"`
		Topic   *string `json:"topic,omitempty"`
	}
)

// callJSON is the exact argument of the compress tool for call: one line.
func callJSON(call kernel.Call) string {
	wire := wireCall{Content: make([]wireRange, 0, len(call.Ranges))}
	for _, r := range call.Ranges {
		wire.Content = append(wire.Content, wireRange{r.StartRef, r.EndRef, r.Summary, r.Topic})
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(wire); err != nil {
		panic("tui: internal error: a call of strings cannot be written: " + err.Error())
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// topicLimit is how long a topic may get, in UTF-16 chars.
const topicLimit = 60

// topicOf makes a topic of the first line of a summary that says something.
func topicOf(summary string) string {
	for line := range strings.SplitSeq(summary, "\n") {
		line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "#"))
		if line == "" {
			continue
		}
		units := 0
		for i, r := range line {
			if units += utf16.RuneLen(r); units > topicLimit {
				return strings.TrimSpace(line[:i])
			}
		}
		return line
	}
	return ""
}
