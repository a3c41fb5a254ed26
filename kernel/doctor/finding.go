package doctor

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ctxscope/kernel"
)

// Finding is one thing that looks wrong, with what shows it. It says what it
// resembles, never what it is.
type Finding struct {
	Code      string   `json:"code"`
	Title     string   `json:"title"`               // in plain words
	Resembles []string `json:"resembles,omitempty"` // public issues where the same kind of fault was seen
	What      string   `json:"what"`                // one sentence with the numbers
	Details   []string `json:"details,omitempty"`   // a sentence for each piece of evidence
	Turns     []int    `json:"turns,omitempty"`     // ascending, from 1
	Calls     []string `json:"calls,omitempty"`     // ids of compress or tool calls, in their order
	Refs      []string `json:"refs,omitempty"`      // of messages, and ids of blocks, in list order
	Advice    string   `json:"advice"`              // what to do
}

// The codes of the findings. They are stable: a person mutes by them.
const (
	NudgeNothing      = "nudge-nothing"
	NudgeLoop         = "nudge-loop"
	CallRepeated      = "call-repeated"
	RefusalRate       = "refusals"
	ListedRefused     = "listed-refused"
	Parity            = "parity"
	PressureNoYield   = "pressure-no-yield"
	PressureStuck     = "pressure-stuck"
	DeadZone          = "dead-zone"
	TierStarved       = "tier-starved"
	FragmentsLost     = "fragments"
	Residue           = "residue"
	FloorHigh         = "floor"
	FoldNoGain        = "fold-no-gain"
	EstimateFar       = "estimate-far"
	CountFrozen       = "count-frozen"
	CountJumps        = "count-jumps"
	UsageNever        = "usage-never"
	CompactionDropped = "compaction-dropped"
	Orphans           = "orphans"
	ConfigInvalid     = "config-invalid"
	GateNever         = "gate-never"
	SettingConflict   = "setting-conflict"
	SettingShadowed   = "setting-shadowed"
	SettingUnread     = "setting-unread"
)

// disease is what is the same in every finding of a code.
type disease struct {
	code, title, resembles, advice string
}

// catalogue lists the diseases in the order in which findings are shown.
var catalogue = []disease{
	{
		Parity, "Host and replay disagree about a compress call", "ranxianglei/acp-kernel#81 ranxianglei/acp-kernel#56",
		"Compare the settings of the host with those here (--config), above all the size gate and its unit. Refs after the first of these calls may differ from the host's.",
	},
	{
		ListedRefused, "A listed range was refused", "ranxianglei/opencode-acp#359 ranxianglei/opencode-acp#360 ranxianglei/billion-context#849",
		"List and refusal measure a range differently. Check that both sides use the same size gate (compress.minCompressRange, gateUnit).",
	},
	{
		NudgeNothing, "Compressing was tried when nothing could be compressed", "ranxianglei/opencode-acp#216 ranxianglei/opencode-acp#218",
		"The host should ask for nothing while no batch is large enough. Let the agent go on, or free what is protected.",
	},
	{
		NudgeLoop, "Nudge, refusal, nudge again", "ranxianglei/opencode-acp#216 ranxianglei/billion-context-pi#199",
		"A refused call should count as an answer to the nudge. Look at the refusals by cause, and fold a batch by hand with a range from the list.",
	},
	{
		CallRepeated, "The same refused call came again", "ranxianglei/billion-context-pi#199 ranxianglei/acp-kernel#101",
		"The same range will be refused again. Check a range first: ctxscope check FILE --range START..END.",
	},
	{
		RefusalRate, "Many compress calls are refused", "ranxianglei/opencode-acp#216 ranxianglei/opencode-acp#359",
		"Start with the most frequent cause in the table.",
	},
	{
		PressureNoYield, "Nudged again and again under pressure without a fold", "ranxianglei/acp-kernel#73 ranxianglei/billion-context-omp#22",
		"The agent does not act on the nudge: fold a batch by hand, or start a new session with a summary.",
	},
	{
		PressureStuck, "Under pressure with nothing worth folding", "ranxianglei/acp-kernel#198 ranxianglei/acp-kernel#199 ranxianglei/billion-context-pi#289",
		"Folding cannot help here: export, use the host's own compaction, or start a new session.",
	},
	{
		DeadZone, "Stamps stand above the context", "ranxianglei/acp-kernel#478 ranxianglei/opencode-acp#364",
		"Until the context has grown past the stamp and the floor no nudge can come, though there is enough to fold. Fold by hand: a success clears the stamps.",
	},
	{
		TierStarved, "A higher tier waits behind tier 1", "ranxianglei/acp-kernel#509 ranxianglei/acp-kernel#510 ranxianglei/billion-context-pi#628",
		"Merge the blocks by hand with block ids as both ends (bN..bM), or lower tiers.tier2Trigger so that the tiers take turns.",
	},
	{
		FragmentsLost, "Much is compressible, but in pieces below the size gate", "ranxianglei/acp-kernel#57 ranxianglei/opencode-acp#359",
		"Name several of the pieces in one call: the size gate counts the whole call.",
	},
	{
		Residue, "Pieces between folds are too small to fold", "ranxianglei/acp-kernel#54 ranxianglei/acp-kernel#498",
		"Merge the blocks on both sides (bN..bM): what stands between them is taken in.",
	},
	{
		FloorHigh, "A large part of the context can never be folded", "ranxianglei/opencode-acp#216 ranxianglei/opencode-acp#185 ranxianglei/acp-kernel#7",
		"Look at the causes: fewer protected tools, a smaller recent zone, merged blocks.",
	},
	{
		FoldNoGain, "Folds that gain nothing", "ranxianglei/billion-context-pi#181 ranxianglei/billion-context-pi#3",
		"The summary is as large as what it replaced. Fold more at once, or write shorter summaries.",
	},
	{
		CountJumps, "The reported count jumps", "sirmalloc/ccstatusline#97 openai/codex#24089",
		"Growth follows the reported count, so each jump opens or shuts the growth gate. Check which requests the host takes the count from.",
	},
	{
		CountFrozen, "The reported count stands still while the session grows", "anthropics/claude-code#6805 anthropics/claude-code#87303",
		"Growth follows the reported count, so no nudge can come from growth. Check how the host reads usage.",
	},
	{
		EstimateFar, "The estimate is far from the reported count", "ranxianglei/acp-kernel#9 ranxianglei/acp-kernel#45 ranxianglei/billion-context-pi#293",
		"Ranges and pending are estimates, growth and usage are reported: thresholds are met too early or too late. Compare with --tokens o200k.",
	},
	{
		UsageNever, "The context size is not reported", "ranxianglei/opencode-acp#133",
		"Decisions stand on the estimate, which leaves out the system prompt and the tool declarations. Check how the host records usage.",
	},
	{
		CompactionDropped, "The host's own compaction dropped blocks", "anthropics/claude-code#29651 ranxianglei/opencode-acp#89 ranxianglei/opencode-acp#90",
		"What these blocks held is only in the host's summary now. Let one of both compact: switch the host's automatic compaction off.",
	},
	{
		Orphans, "Halves of tool calls stand alone", "anthropics/claude-code#31328 ranxianglei/acp-kernel#319 ranxianglei/acp-kernel#320",
		"Strict providers reject a call without its result. What stands beside folds is left out of what is sent, and counts nowhere.",
	},
	{ConfigInvalid, "Settings make no sense", "", "Correct the settings; the kernel decides with them as they are."},
	{
		GateNever, "Gates that can never open", "ranxianglei/billion-context-pi#398 ranxianglei/billion-context-pi#405",
		"Lower the threshold or set the true window with --window.",
	},
	{SettingConflict, "Settings contradict one another", "", "Decide which of both should hold."},
	{SettingShadowed, "Settings without effect: another decides first", "", "Remove the setting or move the one that shadows it."},
	{SettingUnread, "Settings that no rule reads", "", "Remove them, or do not expect anything from them."},
}

// Codes are all codes, in the order in which findings are shown.
func Codes() []string {
	codes := make([]string, len(catalogue))
	for i, d := range catalogue {
		codes[i] = d.code
	}
	return codes
}

// found starts a finding of a code.
func found(code, what string, args ...any) Finding {
	for _, d := range catalogue {
		if d.code == code {
			return Finding{Code: code, Title: d.title, Resembles: strings.Fields(d.resembles), Advice: d.advice, What: fmt.Sprintf(what, args...)}
		}
	}
	panic("doctor: internal error: code " + code + " is not in the catalogue")
}

func (f *Finding) detail(sentence string, args ...any) {
	f.Details = append(f.Details, fmt.Sprintf(sentence, args...))
}

// sorted puts findings in the order of the catalogue and their evidence in
// order, each piece once.
func sorted(findings []Finding) []Finding {
	order := Codes()
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return slices.Index(order, a.Code) - slices.Index(order, b.Code)
	})
	for i := range findings {
		f := &findings[i]
		slices.Sort(f.Turns)
		f.Turns = slices.DeleteFunc(slices.Compact(f.Turns), func(n int) bool { return n == 0 }) // before the first turn
		f.Calls, f.Refs, f.Details = once(f.Calls), once(f.Refs), once(f.Details)
	}
	return findings
}

// once drops what was there before, and empty strings.
func once(items []string) []string {
	seen := map[string]bool{"": true}
	return slices.DeleteFunc(items, func(item string) bool {
		again := seen[item]
		seen[item] = true
		return again
	})
}

// amount writes a number of tokens, chars or blocks with commas, rounded.
func amount[T ~int | ~float64](n T) string {
	return kernel.Commas(strconv.FormatFloat(math.Round(float64(n)), 'f', 0, 64))
}

// plural writes a number with its noun: "1 turn", "62 turns".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return amount(n) + " " + noun + "s"
}

func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 0, 64) + " %" }

// span names the ends of what lies between two refs.
func span(start, end string) string {
	if start == end {
		return start
	}
	return start + ".." + end
}

// turnsText names turns: the first and the last of them.
func turnsText(turns []int) string {
	switch n := len(turns); n {
	case 0:
		return "no turn"
	case 1:
		return "turn " + strconv.Itoa(turns[0])
	default:
		return fmt.Sprintf("turns %d to %d", turns[0], turns[n-1])
	}
}

// Stretches writes ascending turns for people, those that follow one another
// joined: "3", "5–9", "12".
func Stretches(turns []int) []string {
	var parts []string
	for from := 0; from < len(turns); {
		to := from
		for to+1 < len(turns) && turns[to+1] == turns[to]+1 {
			to++
		}
		part := amount(turns[from])
		if to > from {
			part += "–" + amount(turns[to])
		}
		parts, from = append(parts, part), to+1
	}
	return parts
}

// tierName is a tier as people write it.
func tierName(t kernel.Tier) string { return "T" + strconv.Itoa(int(t)) }
