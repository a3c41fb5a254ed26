package headless

import (
	"context"
	"io"

	"ctxscope/kernel"
	"ctxscope/kernel/doctor"
	"ctxscope/watch/settings"
)

// Facts is what `report --json` writes: a session as it stands at the end of
// its transcript.
type Facts struct {
	File          string            `json:"file"`
	Bytes         int64             `json:"bytes"`      // read
	Unfinished    int               `json:"unfinished"` // bytes of a last line that is not ended
	Session       Session           `json:"session"`
	Window        settings.Window   `json:"window"`
	Configuration string            `json:"configuration"` // where it comes from
	Counter       string            `json:"counter"`       // "estimate" is the host's own
	Turns         int               `json:"turns"`         // finished
	Now           kernel.Report     `json:"now"`           // of the turn that a request would run now
	Stamps        kernel.NudgeState `json:"nudgeState"`    // as the last turn or fold left them
	Why
	Verdicts      []kernel.Verdict    `json:"verdicts"`           // one a batch, in their order: a call of that batch alone
	Blocks        []Block             `json:"blocks"`             // all, in the order of their making
	CompressCalls []kernel.FoldRecord `json:"compressCalls"`      // met so far, oldest first
	Outcomes      []doctor.Outcome    `json:"outcomes"`           // of the calls of the transcript: what the executor would say beside what the host answered
	Diverged      string              `json:"diverged,omitempty"` // where the replay left what the host did
	Host          *Host               `json:"host,omitempty"`     // its own state of the session, where it keeps one
	Problems      []Problem           `json:"problems"`
}

// Session is what the transcript says about itself. Empty and zero mean that
// it does not say.
type Session struct {
	Format    string        `json:"format"`
	Agent     string        `json:"agent"`
	ID        string        `json:"id,omitempty"`
	Title     string        `json:"title,omitempty"`
	Folder    string        `json:"folder,omitempty"`
	Model     string        `json:"model,omitempty"`
	Counting  string        `json:"counting"` // what a ref numbers
	Recording bool          `json:"recording,omitempty"`
	Replies   int           `json:"replies"`
	Images    int           `json:"images,omitempty"`
	OffBranch int           `json:"offBranch,omitempty"` // records on branches that were left
	Sidechain int           `json:"sidechain,omitempty"` // records of subagents in the same file
	Unknown   int           `json:"unknown,omitempty"`   // records of types that are not known, passed over
	Reported  kernel.Tokens `json:"reportedTokens,omitempty"`
	Stale     bool          `json:"reportedStale,omitempty"` // older than a compaction or an edit by the host
	Parts     int           `json:"parts"`                   // texts, reasoning blocks, calls and results in context
}

// Block is a block with the size of its summary.
type Block struct {
	kernel.Block
	SummaryTokens kernel.Tokens `json:"summaryTokens"`
}

// Problem is something that could not be read or used.
type Problem struct {
	Where  string `json:"where"`  // for example "line 412"
	Reason string `json:"reason"` // a sentence
}

// Report writes what is known of the session at the end of its transcript: a
// text for people, or Facts as JSON.
func Report(ctx context.Context, o Options, asJSON bool) error {
	l, err := load(ctx, o)
	if err != nil {
		return err
	}
	facts := l.facts(o.File)
	if err := ctx.Err(); err != nil {
		return err
	}
	if asJSON {
		return writeJSON(o.Out, facts)
	}
	_, err = io.WriteString(o.Out, printable(text(facts, l.settings.Config)))
	return err
}

// facts runs the transcript and gathers what stands at its end.
func (l loaded) facts(file string) Facts {
	run, host := l.judge()
	now := run.Now()
	f := Facts{
		File: file, Bytes: l.status.Read, Unfinished: l.status.Pending,
		Session: l.describe(), Window: l.settings.Window, Configuration: l.settings.From, Counter: l.counter,
		Turns: run.Turns().Len(), Now: now, Stamps: run.Stamps(), Host: host,
		Why: l.why(run), Verdicts: []kernel.Verdict{}, Blocks: withSummaries(run.Blocks()), CompressCalls: run.Folds().All(),
		Outcomes: doctor.Outcomes(run), Diverged: run.Replay().Diverged(), Problems: l.problems(),
	}
	for i := range now.Nudge.Batches.Len() {
		batch := now.Nudge.Batches.At(i)
		call := kernel.Call{Ranges: []kernel.CallRange{{StartRef: batch.StartRef, EndRef: batch.EndRef}}}
		f.Verdicts = append(f.Verdicts, l.kernel.Check(run, call))
	}
	return f
}

func (l loaded) describe() Session {
	s := l.session
	return Session{
		Format: s.Format, Agent: s.Agent, ID: s.ID, Title: s.Title, Folder: s.Folder, Model: s.Model,
		Counting: s.Counting, Recording: s.Recording,
		Replies: s.Meter.Replies, Images: s.Meter.Images, OffBranch: s.Meter.OffBranch, Sidechain: s.Meter.Sidechain, Unknown: s.Meter.Unknown,
		Parts: s.Meter.Parts, Reported: s.Usage.Tokens, Stale: s.Usage.Stale,
	}
}

func withSummaries(blocks []kernel.Block) []Block {
	out := make([]Block, len(blocks))
	for i, b := range blocks {
		out[i] = Block{b, b.SummaryTokens}
	}
	return out
}
