package decode

import (
	"bytes"

	"ctxscope/kernel"
)

// geminiPart is one part of a message, in sending order.
type geminiPart struct {
	id      string
	role    kernel.Role
	kind    kernel.ContentType
	tool    string // the plain name
	call    string
	text    []byte
	texts   int // that text was joined of
	images  int
	media   bool
	failed  bool
	answers bool // the result of a call that stands with it in the record
}

var geminiWire = wire{input: "input", output: "output", read: "cached", total: "total", inside: true}

// geminiUsage reads the tokens of a reply. What it thought and what its tools
// put into the prompt are counted apart.
func geminiUsage(tokens value) Usage {
	u := geminiWire.usage(tokens)
	thought, tool := tokensOf(tokens.get("thoughts")), tokensOf(tokens.get("tool"))
	if tokensOf(tokens.get("total")) == 0 {
		u.Tokens += thought + tool
	}
	u.Reply += thought
	u.Prompt += tool
	u.Known = u.Tokens > 0
	return u
}

// readGemini makes the parts of a message: none of one that is not sent.
func readGemini(rec value) []geminiPart {
	content := rec.get("content")
	switch kind := rec.get("type"); {
	case kind.is("user"):
		return readGeminiUser(content)
	case !kind.is("gemini"):
		return nil
	}
	var parts []geminiPart
	if geminiSaysAll(content) {
		parts = readGeminiContent(content)
	} else {
		parts = readGeminiReply(rec, content)
	}
	for call := range rec.get("toolCalls").items() {
		if p, ok := readGeminiResult(call); ok {
			parts = append(parts, p)
		}
	}
	return parts
}

// geminiSaysAll reports whether a content holds the calls or the thoughts of
// its reply itself.
func geminiSaysAll(content value) bool {
	for part := range content.items() {
		if part.get("functionCall").isObject() || part.get("thought").truthy() {
			return true
		}
	}
	return false
}

// readGeminiUser makes one part of a prompt, and one of each result that is
// sent in its place. A command to the program itself is not sent.
func readGeminiUser(content value) []geminiPart {
	prompt := geminiPart{role: kernel.RoleUser}
	found := prompt.join(content)
	if start := bytes.TrimLeft(prompt.text, blanks); len(start) > 0 && (start[0] == '/' || start[0] == '?') {
		return nil
	}
	var parts []geminiPart
	if found > 0 {
		parts = append(parts, prompt)
	}
	for part := range content.items() {
		if response := part.get("functionResponse"); response.isObject() {
			p := geminiPart{role: kernel.RoleTool, kind: kernel.ToolResult, tool: plainToolName(response.get("name").str()), call: response.get("id").str()}
			p.response(response)
			parts = append(parts, p)
		}
	}
	return parts
}

// readGeminiContent makes one part of each piece of a content.
func readGeminiContent(content value) []geminiPart {
	var parts []geminiPart
	for piece := range content.items() {
		p := geminiPart{role: kernel.RoleAssistant}
		call := piece.get("functionCall")
		switch {
		case call.isObject():
			p.kind, p.tool, p.call = kernel.ToolCall, plainToolName(call.get("name").str()), call.get("id").str()
			p.text = appendArguments(nil, call.get("args"))
		case piece.get("text").isString():
			if piece.get("thought").truthy() {
				p.kind = kernel.Reasoning
			}
			p.text = piece.get("text").appendText(nil)
		case geminiMedia(piece):
			p.picture(piece)
		default:
			continue
		}
		parts = append(parts, p)
	}
	return parts
}

// readGeminiReply makes the parts of a reply whose thoughts, text and calls
// are written apart.
func readGeminiReply(rec, content value) []geminiPart {
	var parts []geminiPart
	for thought := range rec.get("thoughts").items() {
		if !thought.isObject() {
			continue
		}
		p := geminiPart{role: kernel.RoleAssistant, kind: kernel.Reasoning}
		subject, description := thought.get("subject"), thought.get("description")
		if len(subject.quoted()) > 0 {
			p.text = append(subject.appendText([]byte("**")), "** "...)
		}
		p.text = description.appendText(p.text)
		parts = append(parts, p)
	}
	text := geminiPart{role: kernel.RoleAssistant}
	if text.join(content); len(text.text) > 0 || text.media {
		parts = append(parts, text)
	}
	for call := range rec.get("toolCalls").items() {
		if call.isObject() {
			parts = append(parts, geminiPart{
				role: kernel.RoleAssistant, kind: kernel.ToolCall, tool: plainToolName(call.get("name").str()), call: call.get("id").str(),
				text: appendArguments(nil, call.get("args")),
			})
		}
	}
	return parts
}

// readGeminiResult makes the part of a call's result: its responses and texts
// joined by LF. ok is false while there is none.
func readGeminiResult(call value) (p geminiPart, ok bool) {
	p = geminiPart{
		role: kernel.RoleTool, kind: kernel.ToolResult, tool: plainToolName(call.get("name").str()), call: call.get("id").str(), answers: true,
	}
	status := call.get("status")
	p.failed = status.is("error") || status.is("cancelled")
	result := call.get("result")
	if result.missing() || result.isNull() {
		return p, false
	}
	p.join(result)
	for piece := range result.items() {
		if response := piece.get("functionResponse"); response.isObject() {
			p.response(response)
		}
	}
	return p, true
}

// join takes over the texts of a content, joined by LF, and counts its
// pictures. It gives the number of pieces of either kind.
func (p *geminiPart) join(content value) (found int) {
	if content.isString() {
		p.line(content)
		return 1
	}
	if content.isObject() {
		return p.piece(content)
	}
	for piece := range content.items() {
		found += p.piece(piece)
	}
	return found
}

func (p *geminiPart) piece(piece value) int {
	switch {
	case piece.isString():
		p.line(piece)
	case piece.get("text").isString():
		p.line(piece.get("text"))
	case geminiMedia(piece):
		p.picture(piece)
	default:
		return 0
	}
	return 1
}

// line appends a text behind what is there.
func (p *geminiPart) line(text value) {
	p.feed()
	p.text = text.appendText(p.text)
}

// feed begins a new text.
func (p *geminiPart) feed() {
	if p.texts > 0 {
		p.text = append(p.text, '\n')
	}
	p.texts++
}

// response takes over what a function answered: its output or its error where
// it says one of them, else all of it as JSON.
func (p *geminiPart) response(response value) {
	answer := response.get("response")
	if failure := answer.get("error"); failure.isString() {
		p.failed = true
		answer = failure
	} else if output := answer.get("output"); output.isString() {
		answer = output
	}
	p.feed()
	p.text = appendArguments(p.text, answer)
	for piece := range response.get("parts").items() {
		if geminiMedia(piece) {
			p.picture(piece)
		}
	}
}

func geminiMedia(piece value) bool {
	return piece.get("inlineData").isObject() || piece.get("fileData").isObject()
}

// picture counts a piece that is no text.
func (p *geminiPart) picture(piece value) {
	p.media = true
	data := piece.get("inlineData")
	if !data.isObject() {
		data = piece.get("fileData")
	}
	if bytes.HasPrefix(data.get("mimeType").text(), []byte("image/")) {
		p.images++
	}
}
