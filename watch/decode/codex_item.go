package decode

import (
	"bytes"

	"ctxscope/kernel"
)

// codexPart is one part of a response item: mostly the item is one.
type codexPart struct {
	role   kernel.Role
	kind   kernel.ContentType
	tool   string // the plain name, of calls
	call   string // its id; empty for a call that never gets a result
	text   []byte
	images int
	media  bool
	failed bool
}

// codexTypes are the response items that are sent, each with what reads it.
var codexTypes = map[string]func(item value) []codexPart{
	"message":               readCodexMessage,
	"reasoning":             readCodexReasoning,
	"compaction":            readCodexEncrypted,
	"context_compaction":    readCodexEncrypted,
	"function_call":         readCodexCall,
	"custom_tool_call":      readCodexCall,
	"local_shell_call":      readCodexCall,
	"tool_search_call":      readCodexCall,
	"web_search_call":       readCodexCall,
	"image_generation_call": readCodexCall,

	"function_call_output":    readCodexOutput,
	"custom_tool_call_output": readCodexOutput,
	"tool_search_output":      readCodexOutput,
}

// readCodexItem makes the parts of a response item. known is false for a type
// that no reader knows; such an item is not sent.
func readCodexItem(item value) (parts []codexPart, known bool) {
	kind := item.get("type")
	if !kind.isString() {
		return nil, false
	}
	if kind.is("ghost_snapshot") {
		return nil, true
	}
	read, known := codexTypes[string(kind.text())]
	if !known {
		return nil, false
	}
	return read(item), true
}

// readCodexMessage makes one part of a prompt, and one of each text of a
// reply.
func readCodexMessage(item value) []codexPart {
	p := codexPart{role: kernel.RoleUser}
	switch role := item.get("role"); {
	case role.is("user"):
	case role.is("developer"), role.is("system"):
		p.role = kernel.RoleSystem
	case role.is("assistant"):
		return readCodexReply(item.get("content"))
	default:
		return nil
	}
	if p.blocks(item.get("content")) == 0 {
		return nil
	}
	return []codexPart{p}
}

func readCodexReply(content value) (parts []codexPart) {
	if content.isString() {
		return []codexPart{{role: kernel.RoleAssistant, text: content.appendText(nil)}}
	}
	for block := range content.items() {
		text := block.get("text")
		if refusal := block.get("refusal"); refusal.isString() {
			text = refusal
		}
		if text.isString() {
			parts = append(parts, codexPart{role: kernel.RoleAssistant, text: text.appendText(nil)})
		}
	}
	return parts
}

// readCodexReasoning joins what can be read: the summaries, and the thinking
// itself where it is open.
func readCodexReasoning(item value) []codexPart {
	p := codexPart{role: kernel.RoleAssistant, kind: kernel.Reasoning}
	texts := 0
	for _, list := range []value{item.get("summary"), item.get("content")} {
		for block := range list.items() {
			p.join(block.get("text"), &texts)
		}
	}
	return []codexPart{p}
}

func readCodexEncrypted(value) []codexPart {
	return []codexPart{{role: kernel.RoleAssistant, kind: kernel.Reasoning}}
}

// codexNames are the tools of calls that do not name one.
var codexNames = map[string]string{
	"local_shell_call": "local_shell", "tool_search_call": "tool_search", "web_search_call": "web_search", "image_generation_call": "image_generation",
}

// readCodexCall reads a call with its arguments as they were sent: a string as
// it is, anything else as compact JSON.
func readCodexCall(item value) []codexPart {
	p := codexPart{role: kernel.RoleAssistant, kind: kernel.ToolCall, call: item.get("call_id").str()}
	kind := item.get("type").str()
	if p.tool = codexNames[kind]; p.tool == "" {
		p.tool = plainToolName(item.get("name").str())
	}
	switch kind {
	case "custom_tool_call":
		p.text = appendArguments(nil, item.get("input"))
	case "local_shell_call", "web_search_call":
		p.text = appendArguments(nil, item.get("action"))
	case "image_generation_call":
		p.text = item.get("revised_prompt").appendText(nil)
		if len(item.get("result").quoted()) > 0 {
			p.images, p.media = 1, true
		}
	default:
		p.text = appendArguments(nil, item.get("arguments"))
	}
	if kind == "web_search_call" || kind == "image_generation_call" {
		p.call = ""
	}
	return []codexPart{p}
}

// readCodexOutput reads a result in any of its shapes: a string, a list of
// blocks, or an object that holds one of them and whether it went well.
func readCodexOutput(item value) []codexPart {
	p := codexPart{role: kernel.RoleTool, kind: kernel.ToolResult, call: item.get("call_id").str()}
	output := item.get("output")
	if item.get("type").is("tool_search_output") {
		p.text = appendArguments(nil, item.get("tools"))
		return []codexPart{p}
	}
	if output.isObject() && !output.get("content").missing() {
		p.failed = output.get("success").kind() == 'f'
		output = output.get("content")
	}
	switch {
	case output.isArray():
		p.blocks(output)
	default:
		p.text = appendArguments(nil, output)
	}
	return []codexPart{p}
}

// blocks takes over a content: the texts joined by LF, pictures counted. It
// gives the number of blocks that there were of either.
func (p *codexPart) blocks(content value) int {
	texts, others := 0, 0
	if content.isString() {
		p.join(content, &texts)
	}
	for block := range content.items() {
		switch kind := block.get("type"); {
		case kind.is("input_image"), kind.is("image"):
			p.images++
			p.media = true
			others++
		case kind.is("input_audio"), kind.is("input_file"):
			p.media = true
			others++
		default:
			p.join(block.get("text"), &texts)
		}
	}
	return texts + others
}

// join appends a text behind the texts before it.
func (p *codexPart) join(text value, texts *int) {
	if !text.isString() {
		return
	}
	if *texts > 0 {
		p.text = append(p.text, '\n')
	}
	*texts++
	p.text = text.appendText(p.text)
}

// codexInjected are the beginnings of what the host puts in as the user: it is
// context, but no turn.
var codexInjected = [][]byte{
	[]byte("<environment_context>"), []byte("# AGENTS.md"), []byte("<user_instructions>"),
	[]byte("<subagent_notification>"), []byte("<turn_aborted>"),
}

// prompt reports whether a part is what a person asked.
func (p *codexPart) prompt() bool {
	if p.role != kernel.RoleUser || p.kind != kernel.Text {
		return false
	}
	text := bytes.TrimLeft(p.text, blanks)
	for _, start := range codexInjected {
		if bytes.HasPrefix(text, start) {
			return false
		}
	}
	return true
}

// answer is what a tool said, out of what Codex wraps around it.
func (p *codexPart) answer() []byte {
	if _, output, found := bytes.Cut(p.text, []byte("\nOutput:\n")); found && bytes.HasPrefix(p.text, []byte("Wall time: ")) {
		return output
	}
	if !bytes.HasPrefix(p.text, []byte(`{"output":`)) {
		return p.text
	}
	var s scanner
	if wrapped, _, ok := s.scan(p.text, 0); ok && wrapped.get("output").isString() {
		return wrapped.get("output").appendText(nil)
	}
	return p.text
}
