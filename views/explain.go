package views

import (
	"strings"

	"ctxscope/kernel"
)

// Explained writes an explanation as lines of at most width cells: the answer,
// then each rule with what was found and what would change it.
func Explained(x kernel.Explanation, width int) []string {
	name := 0
	for _, rule := range x.Rules {
		name = max(name, len(rule.Name))
	}
	const sign = 6
	indent := sign + name + 2
	if indent > width/3 {
		indent = sign
	}
	out := []string{"Answer: " + x.Answer, ""}
	for _, rule := range x.Rules {
		word := "ok"
		if !rule.Passes {
			word = "STOP"
		}
		head := Fit(word, sign) + rule.Name
		if indent > sign {
			head = Fit(head, indent)
		} else {
			out = append(out, head)
			head = spaces(sign)
		}
		out = hanging(out, head, rule.Says, width, indent)
		if rule.Change != "" {
			out = hanging(out, spaces(indent), "→ "+rule.Change, width, indent)
		}
	}
	return out
}

// hanging adds a text whose first line begins with head; the lines that follow
// are indented.
func hanging(out []string, head, text string, width, indent int) []string {
	for _, part := range Wrap(text, max(1, width-indent)) {
		out = append(out, strings.TrimRight(head+part, " "))
		head = spaces(indent)
	}
	return out
}
