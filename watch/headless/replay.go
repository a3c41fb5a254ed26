package headless

import (
	"bufio"
	"context"
	"fmt"

	"ctxscope/kernel"
)

// Turn is one line of `replay`: a finished turn as it was decided, and the
// compress calls that came after it.
type Turn struct {
	Number        int               `json:"turn"` // from 1; 0: compress calls before the first turn
	ReplyID       string            `json:"replyId,omitempty"`
	Time          int64             `json:"time,omitempty"`       // epoch milliseconds
	Compaction    bool              `json:"compaction,omitempty"` // the host rewrote its list since the turn before
	Messages      int               `json:"messages"`             // in the list
	Used          kernel.Count      `json:"used"`
	Limit         kernel.Tokens     `json:"modelContextLimit"`
	Decision      kernel.Decision   `json:"decision"` // compressibleRanges are the recommended batches
	Pending       kernel.Pending    `json:"pending"`
	Ranges        []kernel.Range    `json:"ranges"`     // compressible, before they are joined to batches
	Zone          []string          `json:"zone"`       // refs of the recent zone
	NudgeState    kernel.NudgeState `json:"nudgeState"` // after the turn
	ActiveBlocks  []Block           `json:"activeBlocks"`
	Sent          Sent              `json:"sent"`
	Truncation    kernel.Truncation `json:"truncation"`
	CompressCalls []CompressCall    `json:"compressCalls"`
}

// Sent is what the agent would be sent.
type Sent struct {
	kernel.Sent
	IDs []string `json:"ids"` // of the messages, in order
}

// CompressCall is a compress call and what the executor did with it.
type CompressCall struct {
	kernel.FoldRecord
	NewBlocks  []Block           `json:"blocks"`     // made or rewritten by the call
	NudgeState kernel.NudgeState `json:"nudgeState"` // after the call
}

// Replay writes one Turn a line for every finished turn, oldest first.
func Replay(ctx context.Context, o Options) error {
	l, err := load(ctx, o)
	if err != nil {
		return err
	}
	if err := l.warn(o.Err); err != nil {
		return err
	}
	out := bufio.NewWriter(o.Out)
	enc := newEncoder(out)
	var open *Turn // the last turn: calls that follow belong to it
	write := func() {
		if open != nil && err == nil {
			err = enc.Encode(open)
		}
		open = nil
	}
	run := l.kernel.AdvanceEach(l.kernel.Start(), l.change, func(s kernel.Step) {
		if s.Turn != nil {
			write()
			open = turnOf(s)
			return
		}
		if open == nil {
			open = &Turn{NudgeState: s.State, CompressCalls: []CompressCall{}}
		}
		open.CompressCalls = append(open.CompressCalls, callOf(s))
	})
	write()
	if err != nil {
		return fmt.Errorf("write turns: %w", err)
	}
	if where := run.Diverged(); where != "" {
		if err := warning(o.Err, where); err != nil {
			return err
		}
	}
	return out.Flush()
}

func turnOf(s kernel.Step) *Turn {
	t, r := s.Turn, s.Report()
	active := []kernel.Block{}
	for _, b := range s.Blocks {
		if b.Active {
			active = append(active, b)
		}
	}
	return &Turn{
		Number: t.Number, ReplyID: t.ReplyID, Time: t.Time, Compaction: t.Compaction,
		Messages: t.Messages, Used: t.Used, Limit: r.Limit,
		Decision: r.Nudge, Pending: r.Pending, Ranges: r.Ranges.All(), Zone: r.Zone,
		NudgeState: s.State, ActiveBlocks: withSummaries(active),
		Sent: Sent{r.Sent, s.Sent()}, Truncation: r.Truncation, CompressCalls: []CompressCall{},
	}
}

func callOf(s kernel.Step) CompressCall {
	c := CompressCall{FoldRecord: *s.Fold, NewBlocks: []Block{}, NudgeState: s.State}
	made := map[string]bool{}
	for _, id := range s.Fold.Verdict.NewBlocks {
		made[id] = true
	}
	for _, b := range withSummaries(s.Blocks) {
		if made[b.ID] && s.Fold.Applied {
			c.NewBlocks = append(c.NewBlocks, b)
		}
	}
	return c
}
