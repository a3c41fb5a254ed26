package kernel

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// caseFamilies are the first words of case files. The kernel answers for its
// own; other packages answer for the others.
var caseFamilies = []string{"kernel-", "transcript-", "tail-", "screen-"}

// A kernelCase is one case with what is expected after each of its steps.
type kernelCase struct {
	file   string
	input  caseInput
	expect []map[string]any
}

type caseInput struct {
	Case   string          `json:"case"`
	Config json.RawMessage `json:"config"`
	State  struct {
		Nudge  json.RawMessage `json:"nudge"`
		Blocks []caseBlock     `json:"blocks"`
	} `json:"state"`
	Messages []caseMessage `json:"messages"`
	Steps    []caseStep    `json:"steps"`
}

type caseMessage struct {
	ID          string      `json:"id"`
	Role        Role        `json:"role"`
	ContentType ContentType `json:"contentType"`
	ToolName    string      `json:"toolName"`
	ToolCallID  string      `json:"toolCallId"`
	Text        *string     `json:"text"`
	Chars       int         `json:"chars"` // UTF-16, of the text made from Fill
	Fill        string      `json:"fill"`
	Prefix      string      `json:"prefix"`
	Repeat      int         `json:"repeat"`
}

type caseBlock struct {
	BlockID string   `json:"blockId"`
	Tier    int      `json:"tier"`
	Covers  []string `json:"covers"`
	Chars   int      `json:"chars"`
	Fill    string   `json:"fill"`
	Active  *bool    `json:"active"`
}

type caseStep struct {
	Op         string        `json:"op"`
	TokenCount Tokens        `json:"tokenCount"`
	Ranges     []caseRange   `json:"ranges"`
	On         string        `json:"on"`
	Messages   []caseMessage `json:"messages"`
	Texts      []string      `json:"texts"`
	Refs       []string      `json:"refs"`
}

type caseRange struct {
	Start        string `json:"start"`
	End          string `json:"end"`
	SummaryChars *int   `json:"summaryChars"`
}

// readKernelCases reads a folder's kernel cases and what is expected of them.
// A file of no known family, a case without an entry and an entry without a
// case are errors.
func readKernelCases(folder string) ([]kernelCase, error) {
	data, err := os.ReadFile(filepath.Join(folder, "expected.json"))
	if err != nil {
		return nil, err
	}
	var entries map[string]struct {
		SeenIn []string        `json:"seenIn"`
		Expect json.RawMessage `json:"expect"`
	}
	if err := decodeStrict(data, &entries); err != nil {
		return nil, fmt.Errorf("expected.json: %w", err)
	}
	files, err := caseFiles(folder)
	if err != nil {
		return nil, err
	}
	var cases []kernelCase
	for _, file := range files {
		if !strings.HasPrefix(file, "kernel-") {
			continue
		}
		entry, ok := entries[file]
		if !ok {
			return nil, fmt.Errorf("%s has no entry in expected.json", file)
		}
		delete(entries, file)
		c, err := readKernelCase(filepath.Join(folder, file), entry.Expect)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		cases = append(cases, c)
	}
	for file := range entries {
		if strings.HasPrefix(file, "kernel-") {
			return nil, fmt.Errorf("expected.json has an entry for %s, which is not there", file)
		}
	}
	return cases, nil
}

// caseFiles gives the names of a folder's case files in order.
func caseFiles(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, entry := range entries {
		name := entry.Name()
		if name == "expected.json" || strings.HasSuffix(name, ".md") {
			continue
		}
		known := false
		for _, family := range caseFamilies {
			known = known || strings.HasPrefix(name, family)
		}
		if !known {
			return nil, fmt.Errorf("%s is of no family that is run", name)
		}
		files = append(files, name)
	}
	sort.Strings(files)
	return files, nil
}

func readKernelCase(path string, expect json.RawMessage) (kernelCase, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return kernelCase{}, err
	}
	c := kernelCase{file: filepath.Base(path)}
	if err := decodeStrict(data, &c.input); err != nil {
		return kernelCase{}, err
	}
	if want := "kernel-" + c.input.Case + ".json"; want != c.file {
		return kernelCase{}, fmt.Errorf("its case is %q", c.input.Case)
	}
	value, err := decodeAny(expect)
	if err != nil {
		return kernelCase{}, err
	}
	entries, ok := value.([]any)
	if !ok || len(entries) != len(c.input.Steps) || len(entries) == 0 {
		return kernelCase{}, fmt.Errorf("%d steps, but expected is %s", len(c.input.Steps), short(value))
	}
	for _, entry := range entries {
		keys, ok := entry.(map[string]any)
		if !ok {
			return kernelCase{}, fmt.Errorf("expected has %s in place of an object", short(entry))
		}
		c.expect = append(c.expect, keys)
	}
	return c, nil
}

// filled is a text of so many UTF-16 units, made by repeating fill.
func filled(chars int, fill string) (string, error) {
	if fill == "" {
		fill = "x"
	}
	unit := int(Len16(fill))
	if chars%unit != 0 {
		return "", fmt.Errorf("%d chars cannot be made of %q", chars, fill)
	}
	return strings.Repeat(fill, chars/unit), nil
}

// expanded writes out the text and the repetitions of a message.
func (c caseMessage) expanded() ([]vectorMessage, error) {
	text, err := filled(c.Chars, c.Fill)
	if err != nil {
		return nil, fmt.Errorf("message %s: %w", c.ID, err)
	}
	if c.Text != nil {
		if c.Chars != 0 || c.Fill != "" {
			return nil, fmt.Errorf("message %s has both a text and a size", c.ID)
		}
		text = *c.Text
	}
	m := vectorMessage{
		ID: c.ID, Role: c.Role, ContentType: c.ContentType, Text: c.Prefix + text,
		ToolName: c.ToolName, ToolCallID: c.ToolCallID,
	}
	if c.Repeat == 0 {
		return []vectorMessage{m}, nil
	}
	var all []vectorMessage
	for i := 1; i <= c.Repeat; i++ {
		m.ID = fmt.Sprintf("%s%d", c.ID, i)
		all = append(all, m)
	}
	return all, nil
}

func expandedMessages(list []caseMessage) ([]vectorMessage, error) {
	var all []vectorMessage
	for _, c := range list {
		some, err := c.expanded()
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// startState is the state that a case begins with.
func (c caseInput) startState() (vectorState, error) {
	state := vectorState{Nudge: c.State.Nudge}
	next := 1
	for _, b := range c.State.Blocks {
		summary, err := filled(b.Chars, b.Fill)
		if err != nil {
			return state, fmt.Errorf("block %s: %w", b.BlockID, err)
		}
		number, ok := blockNumber(b.BlockID)
		if !ok {
			return state, fmt.Errorf("%q is no block id", b.BlockID)
		}
		next = max(next, int(number)+1)
		state.Blocks = append(state.Blocks, vectorBlock{
			BlockID: b.BlockID, RunID: fmt.Sprintf("r%d", number), Tier: b.Tier, Summary: summary,
			DirectMessageIDs: b.Covers, EffectiveMessageIDs: b.Covers, DirectBlockIDs: []string{},
			Generation: "young", Active: b.Active == nil || *b.Active,
		})
	}
	state.NextBlockID, state.NextRunID = &next, &next
	return state, nil
}

// configuration lays the overrides of a case over the defaults.
func (c caseInput) configuration() (Config, error) {
	config := Default(0)
	if err := decodeStrict(c.Config, &config); err != nil {
		return config, fmt.Errorf("config: %w", err)
	}
	if config.ModelContextLimit <= 0 {
		return config, errors.New("config: modelContextLimit is missing")
	}
	return config, nil
}
