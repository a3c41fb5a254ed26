package decode

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"ctxscope/kernel"
)

// compressTool is the plain name of the tool that folds.
const compressTool = "compress"

// familyTools are the tools of the compress family under their plain names.
var familyTools = []string{compressTool, "decompress", "search_context", "acp_status", "acp_rule", "acp_retrieve", "absorb"}

// plainToolName is the name that rules compare: a tool of the compress family
// that was reached over a bridge (mcp__bili__compress) goes by its own name.
func plainToolName(name string) string {
	for _, tool := range familyTools {
		server, found := strings.CutSuffix(name, tool)
		if !found || server == "" {
			continue
		}
		server = strings.TrimSuffix(server, "_")
		if server = strings.TrimSuffix(server, "_"); strings.HasSuffix(server, "bili") && len(server)+len(tool) < len(name) {
			return tool
		}
	}
	return name
}

// deviceCall recognises a compress call in its oldest form, a write to the
// device xd://compress, and gives its arguments: what was written, as JSON.
func deviceCall(tool string, arguments value) (text string, ok bool) {
	if tool != "write" || !arguments.isObject() {
		return "", false
	}
	path, _, _ := strings.Cut(arguments.get("path").str(), "?")
	if strings.TrimRight(path, "/") != "xd://compress" {
		return "", false
	}
	content := arguments.get("content")
	if content.isString() {
		return content.str(), true
	}
	return string(content.appendCompact(nil)), true
}

var (
	panelCount   = regexp.MustCompile(`, (\d+) blocks?\)`)
	panelBlock   = regexp.MustCompile(`(?:^|, )b\d+(?:\(T\d\))?=`)
	bridgeBlocks = regexp.MustCompile(`→ (\d+) block\(s\)`)
)

// outcomeOf reads the answer of a host to a compress call. failed says that
// the host marked it as an error. blocks is how many blocks it says it made.
func outcomeOf(text []byte, failed bool) (o kernel.Outcome, blocks uint16) {
	switch {
	case failed,
		bytes.HasPrefix(text, []byte("Validation failed for tool")),
		bytes.HasPrefix(text, []byte("[Compression FAILED")),
		bytes.Contains(text[:min(len(text), 1<<16)], []byte("No changes applied")):
		return kernel.Failed, 0
	case bytes.HasPrefix(text, []byte("▣ ACP |")):
		first, _, _ := bytes.Cut(text, []byte("\n"))
		if blocks = panelBlocks(first); blocks == 0 {
			return kernel.NoOp, 0
		}
	case bytes.HasPrefix(text, []byte("[Compressed ")):
		if m := bridgeBlocks.FindSubmatch(text); m != nil {
			blocks = count16(m[1])
		}
	}
	if blocks == 0 {
		return kernel.Neutral, 0
	}
	return kernel.Succeeded, blocks
}

// panelBlocks is the number of blocks in the first line of a panel: given as
// a number, or named one by one.
func panelBlocks(line []byte) uint16 {
	if _, named, found := bytes.Cut(line, []byte("blocks: ")); found {
		return uint16(min(len(panelBlock.FindAll(named, -1)), 1<<16-1))
	}
	if m := panelCount.FindSubmatch(line); m != nil {
		return count16(m[1])
	}
	return 0
}

func count16(digits []byte) uint16 {
	n, err := strconv.ParseUint(string(digits), 10, 16)
	if err != nil {
		return 1<<16 - 1
	}
	return uint16(n)
}

const refTag = `(?:<acp\b[^<>]*>\s*(?:[mb]\d{1,7}|BLOCKED)\s*</acp>|\[[mb]\d{1,7}\]|<dcp-message-id>\s*[mb]\d{1,7}\s*</dcp-message-id>)`

var (
	tagsBefore = regexp.MustCompile(`^\s*(?:` + refTag + `\s*)+`)
	tagsBehind = regexp.MustCompile(`(?:\s*` + refTag + `)+\s*$`)
)

// blanks are what a pattern's \s matches.
const blanks = " \t\n\r\f"

// cutRefTags cuts the ref tags that a model echoes off both ends of its text.
func cutRefTags(text []byte) []byte {
	const reach = 2048 // bytes at either end in which tags are looked for
	if head := bytes.TrimLeft(text, blanks); len(head) > 0 && (head[0] == '<' || head[0] == '[') {
		if i := tagsBefore.FindIndex(text[:min(len(text), reach)]); i != nil {
			text = text[i[1]:]
		}
	}
	if tail := bytes.TrimRight(text, blanks); len(tail) > 0 && (tail[len(tail)-1] == '>' || tail[len(tail)-1] == ']') {
		tail = text[max(0, len(text)-reach):]
		if i := tagsBehind.FindIndex(tail); i != nil {
			text = text[:len(text)-len(tail)+i[0]]
		}
	}
	return text
}
