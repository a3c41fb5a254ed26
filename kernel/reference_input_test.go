package kernel

import "encoding/json"

// vectorMessage is a message as records and cases write it.
type vectorMessage struct {
	ID               string      `json:"id"`
	Role             Role        `json:"role"`
	ContentType      ContentType `json:"contentType"`
	Text             string      `json:"text"`
	ToolName         string      `json:"toolName"`
	ToolCallID       string      `json:"toolCallId"`
	ThinkingTokens   Tokens      `json:"thinkingTokens"`
	SummaryOfBlockID string      `json:"summaryOfBlockId"`
	ImageBase64      string      `json:"imageBase64"`
}

// message measures v as the decoders do.
func (v vectorMessage) message() Message {
	m := Message{
		ID:               v.ID,
		Role:             v.Role,
		Type:             v.ContentType,
		ToolName:         v.ToolName,
		ToolCallID:       v.ToolCallID,
		ThinkingTokens:   v.ThinkingTokens,
		SummaryOfBlockID: v.SummaryOfBlockID,
	}
	if v.ImageBase64 != "" {
		m.Facts |= HasMedia
		m.Images = 1
	}
	m.Measure(v.Text, nil)
	return m
}

// messagesOf measures a list.
func messagesOf(list []vectorMessage) []Message {
	log := make([]Message, 0, len(list))
	for _, v := range list {
		log = append(log, v.message())
	}
	return log
}

func idsOf(log []Message) []string {
	ids := make([]string, 0, len(log))
	for i := range log {
		ids = append(ids, log[i].ID)
	}
	return ids
}

// vectorState holds every field that a recorded state may have.
type vectorState struct {
	Blocks           []vectorBlock   `json:"blocks,omitempty"`
	MessageRefs      *vectorRefs     `json:"messageRefs,omitempty"`
	Nudge            json.RawMessage `json:"nudge,omitempty"`
	Stats            json.RawMessage `json:"stats,omitempty"`
	NextBlockID      *int            `json:"nextBlockId,omitempty"`
	NextRunID        *int            `json:"nextRunId,omitempty"`
	TerminalStreak   *int            `json:"terminalStreak,omitempty"`
	HiddenOrphanRefs *[]string       `json:"hiddenOrphanRefs,omitempty"`
	DeadRefs         *[]string       `json:"deadRefs,omitempty"`
}

// vectorRefs is the two maps of refs. Where byRef is not given it is the
// inverse of byRaw without BLOCKED.
type vectorRefs struct {
	ByRaw map[string]string `json:"byRaw"`
	ByRef map[string]string `json:"byRef"`
}

// vectorBlock is a block as records write it: a kernel block without the time
// of its making, which records leave out.
type vectorBlock struct {
	BlockID             string   `json:"blockId"`
	RunID               string   `json:"runId"`
	Tier                int      `json:"tier"`
	Topic               *string  `json:"topic,omitempty"`
	Summary             string   `json:"summary"`
	DirectMessageIDs    []string `json:"directMessageIds"`
	EffectiveMessageIDs []string `json:"effectiveMessageIds"`
	DirectBlockIDs      []string `json:"directBlockIds"`
	CompressedTokens    Tokens   `json:"compressedTokens"`
	SurvivedCount       int      `json:"survivedCount"`
	Generation          string   `json:"generation"`
	Active              bool     `json:"active"`
	Expanded            bool     `json:"expanded,omitempty"`
	RestoredInline      bool     `json:"restoredInline,omitempty"`
	CompressCallID      string   `json:"compressCallId,omitempty"`
	StartRef            string   `json:"startRef,omitempty"`
	EndRef              string   `json:"endRef,omitempty"`
}

func (v vectorState) refs() vectorRefs {
	refs := vectorRefs{ByRaw: map[string]string{}}
	if v.MessageRefs != nil && v.MessageRefs.ByRaw != nil {
		refs.ByRaw = v.MessageRefs.ByRaw
	}
	if v.MessageRefs != nil && v.MessageRefs.ByRef != nil {
		refs.ByRef = v.MessageRefs.ByRef
		return refs
	}
	refs.ByRef = make(map[string]string, len(refs.ByRaw))
	for id, ref := range refs.ByRaw {
		if ref != "BLOCKED" {
			refs.ByRef[ref] = id
		}
	}
	return refs
}

// json writes the state as a host would have saved it.
func (v vectorState) json() (json.RawMessage, error) {
	refs := v.refs()
	v.MessageRefs = &refs
	return encodePlain(v)
}

// blocksAsRecorded writes blocks as records do: without the time of their
// making, and with a flag only while it is set.
func blocksAsRecorded(blocks []Block) ([]vectorBlock, error) {
	data, err := encodePlain(blocks)
	if err != nil {
		return nil, err
	}
	var items []map[string]any
	if err := json.Unmarshal(data, &items); err != nil {
		return nil, err
	}
	for _, item := range items {
		delete(item, "createdAt")
	}
	if data, err = encodePlain(items); err != nil {
		return nil, err
	}
	recorded := []vectorBlock{}
	return recorded, decodeStrict(data, &recorded)
}

// changedBlocks gives, as recorded, the blocks of after that are not in
// before as they are.
func changedBlocks(before, after []Block) ([]vectorBlock, error) {
	old := make(map[string]string, len(before))
	was, err := blocksAsRecorded(before)
	if err != nil {
		return nil, err
	}
	for _, block := range was {
		old[block.BlockID] = asJSON(block)
	}
	is, err := blocksAsRecorded(after)
	if err != nil {
		return nil, err
	}
	changed := []vectorBlock{}
	for _, block := range is {
		if old[block.BlockID] != asJSON(block) {
			changed = append(changed, block)
		}
	}
	return changed, nil
}

// vectorRange is a range as records write it; a batch has the same form.
type vectorRange struct {
	StartRef   string `json:"startRef"`
	EndRef     string `json:"endRef"`
	Count      int    `json:"count"`
	Tokens     Tokens `json:"tokens"`
	Chars      *Chars `json:"chars,omitempty"`
	ToolPct    int    `json:"toolPct"`
	TextPct    int    `json:"textPct"`
	Dangerous  bool   `json:"dangerous,omitempty"`
	UserMsgs   *int   `json:"userMsgs,omitempty"`
	StartIndex *int   `json:"startIndex,omitempty"`
	EndIndex   *int   `json:"endIndex,omitempty"`
}
