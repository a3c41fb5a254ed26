package decode

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"ctxscope/kernel"
)

// answers give what a reading says under each key of an expectation. A key
// that none answers fails.
var answers = map[string]func(r *reading) any{
	"format":    func(r *reading) any { return orNil(r.session.Format) },
	"sessionId": func(r *reading) any { return r.session.ID },
	"title":     func(r *reading) any { return r.session.Title },
	"model":     func(r *reading) any { return r.session.Model },
	"window":    func(r *reading) any { return r.session.Window },
	"variant":   func(r *reading) any { return map[string]string{"oh-my-pi": "omp"}[r.session.Agent] },

	"messages":      func(r *reading) any { return kinds(r.parts) },
	"order":         func(r *reading) any { return ids(r.parts) },
	"piHost":        func(r *reading) any { return len(r.log) },
	"piHostOrder":   func(r *reading) any { return ids(r.log) },
	"images":        func(r *reading) any { return r.session.Meter.Images },
	"replies":       func(r *reading) any { return r.session.Meter.Replies },
	"textChars":     func(r *reading) any { return each(r.parts, func(m kernel.Message) any { return m.Chars }) },
	"textTokens":    func(r *reading) any { return each(r.parts, func(m kernel.Message) any { return m.Tokens }) },
	"pairs":         pairs,
	"orphanResults": func(r *reading) any { return len(unpaired(r.parts, kernel.ToolResult, kernel.ToolCall)) },
	"openCalls":     func(r *reading) any { return len(unpaired(r.parts, kernel.ToolCall, kernel.ToolResult)) },

	"contextTokens":   func(r *reading) any { return current(r, r.session.Usage.Tokens) },
	"promptTokens":    func(r *reading) any { return current(r, r.session.Usage.Prompt) },
	"replyTokens":     func(r *reading) any { return current(r, r.session.Usage.Reply) },
	"stale":           func(r *reading) any { return r.session.Usage.Stale },
	"staleTokens":     func(r *reading) any { return r.session.Usage.Tokens },
	"spentTokens":     func(r *reading) any { return r.session.Usage.Spent },
	"usagePct":        usagePct,
	"kind":            func(r *reading) any { return map[string]string{"proxy": "proxy-session"}[r.session.Format] },
	"preTokens":       func(r *reading) any { return r.session.Usage.Before },
	"estimateTokens":  func(r *reading) any { return r.session.Meter.Tokens },
	"notInTranscript": func(r *reading) any { return r.session.Usage.Tokens - r.session.Meter.Tokens },

	"skippedLines":     func(r *reading) any { return each(r.session.Problems, func(p Problem) any { return p.Line }) },
	"pendingTail":      func(r *reading) any { return r.tail },
	"offBranch":        func(r *reading) any { return r.session.Meter.OffBranch },
	"offChain":         func(r *reading) any { return r.session.Meter.OffBranch },
	"recovered":        func(r *reading) any { return r.session.Meter.Recovered },
	"duplicates":       func(r *reading) any { return r.session.Meter.Duplicates },
	"danglingParents":  func(r *reading) any { return r.session.Meter.Dangling },
	"sidechainRecords": func(r *reading) any { return r.session.Meter.Sidechain },
	"clearedResults":   func(r *reading) any { return r.session.Meter.Cleared },
}

// checks are the keys that are more than one value to compare.
var checks = map[string]func(r *reading, want any) error{
	"messagesOneOf": checkOneOf,
	"texts":         func(r *reading, want any) error { return checkTexts(r, r.parts, want) },
	"piHostTexts":   func(r *reading, want any) error { return checkTexts(r, r.log, want) },
	"compress":      checkCompress,
	"sidecar":       checkSidecar,
	"openAs":        checkOpenAs,
	"note":          func(*reading, any) error { return nil }, // for people
}

func checkKeys(r *reading, want expectation) []error {
	var errs []error
	for key, value := range want {
		if check, ok := checks[key]; ok {
			if err := check(r, value); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", key, err))
			}
			continue
		}
		answer, ok := answers[key]
		if !ok {
			errs = append(errs, fmt.Errorf("no test answers for the key %q", key))
			continue
		}
		if got := asJSON(answer(r)); !reflect.DeepEqual(got, value) {
			errs = append(errs, fmt.Errorf("%s: got %v, want %v", key, got, value))
		}
	}
	if want["format"] == nil && r.session.Format == "" {
		if _, named := want["format"]; !named {
			errs = append(errs, fmt.Errorf("no format was found (%s)", r.session.Refused))
		}
	}
	return errs
}

// asJSON is v as JSON reads it, so that it compares with an expectation.
func asJSON(v any) any {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		return err
	}
	return out
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func each[T any](list []T, f func(T) any) []any {
	out := []any{}
	for _, x := range list {
		out = append(out, f(x))
	}
	return out
}

func ids(list []kernel.Message) any {
	return each(list, func(m kernel.Message) any { return m.ID })
}

func kinds(list []kernel.Message) map[string]int {
	n := map[string]int{}
	for _, m := range list {
		n[m.Role.String()+"/"+m.Type.String()]++
	}
	return n
}

// current is a part of the host's count when there is one that is not old.
func current(r *reading, n kernel.Tokens) any {
	if !r.session.Usage.Known || r.session.Usage.Stale {
		return nil
	}
	return n
}

// unpaired are the messages of one kind whose call id none of the other kind
// has.
func unpaired(list []kernel.Message, kind, other kernel.ContentType) []kernel.Message {
	return slices.DeleteFunc(slices.Clone(list), func(m kernel.Message) bool {
		return m.Type != kind || slices.ContainsFunc(list, func(o kernel.Message) bool {
			return o.Type == other && o.ToolCallID == m.ToolCallID
		})
	})
}

// usagePct is the share of the recorded window that is full, with one decimal.
func usagePct(r *reading) any {
	return math.Floor(float64(r.session.Usage.Tokens)/float64(r.session.Window)*1000+0.5) / 10
}

func pairs(r *reading) any {
	out := []any{}
	for _, call := range r.parts {
		if call.Type != kernel.ToolCall {
			continue
		}
		for _, m := range r.parts {
			if m.Type == kernel.ToolResult && m.ToolCallID == call.ToolCallID {
				text, err := r.text(m)
				if err != nil {
					text = err.Error()
				}
				out = append(out, []any{call.ToolCallID, text})
			}
		}
	}
	return out
}

func checkOneOf(r *reading, want any) error {
	got := asJSON(kinds(r.parts))
	for _, one := range want.([]any) {
		if reflect.DeepEqual(got, one) {
			return nil
		}
	}
	return fmt.Errorf("got %v, want one of %v", got, want)
}

func checkTexts(r *reading, list []kernel.Message, want any) error {
	for id, text := range want.(map[string]any) {
		i := slices.IndexFunc(list, func(m kernel.Message) bool { return m.ID == id })
		if i < 0 {
			return fmt.Errorf("there is no %s", id)
		}
		got, err := r.text(list[i])
		if err != nil {
			return err
		}
		if got != text {
			return fmt.Errorf("%s: got %q, want %q", id, got, text)
		}
	}
	return nil
}

var outcomes = map[string]kernel.Outcome{"success": kernel.Succeeded, "failure": kernel.Failed, "no-op": kernel.NoOp}

// checkCompress holds each compress call's answer in the log against the
// expected outcome, and that no other message has one.
func checkCompress(r *reading, want any) error {
	var calls []struct {
		Call, Outcome, Tool string
		Blocks              *int
		IsError             *bool
	}
	data, err := json.Marshal(want)
	if err == nil {
		err = json.Unmarshal(data, &calls)
	}
	if err != nil {
		return err
	}
	answered := 0
	for _, list := range [][]kernel.Message{r.parts, r.log} {
		answered = 0
		for _, m := range list {
			if m.Outcome != kernel.NoOutcome {
				answered++
			}
		}
		if answered != len(calls) {
			return fmt.Errorf("%d results have an outcome, want %d", answered, len(calls))
		}
	}
	for _, c := range calls {
		i := slices.IndexFunc(r.log, func(m kernel.Message) bool { return m.Type == kernel.ToolResult && m.ToolCallID == c.Call })
		k := slices.IndexFunc(r.log, func(m kernel.Message) bool { return m.Type == kernel.ToolCall && m.ToolCallID == c.Call })
		if i < 0 || k < 0 {
			return fmt.Errorf("call %s and its result are not both in the log", c.Call)
		}
		result, call := r.log[i], r.log[k]
		if result.Outcome != outcomes[c.Outcome] || (c.Blocks != nil && int(result.OutcomeBlocks) != *c.Blocks) {
			return fmt.Errorf("call %s: outcome %d with %d blocks, want %s", c.Call, result.Outcome, result.OutcomeBlocks, c.Outcome)
		}
		if c.IsError != nil && result.Failed != *c.IsError {
			return fmt.Errorf("call %s: marked as failed %v, want %v", c.Call, result.Failed, *c.IsError)
		}
		if call.ToolName != compressTool || result.ToolName != compressTool {
			return fmt.Errorf("call %s goes by %q and its result by %q, want %q", c.Call, call.ToolName, result.ToolName, compressTool)
		}
		if c.Tool != "" && !strings.Contains(string(r.data), fmt.Sprintf("%q", c.Tool)) {
			return fmt.Errorf("call %s: the file names no tool %q", c.Call, c.Tool)
		}
		if !strings.Contains(call.Text, `"startId"`) && !strings.Contains(call.Text, `\"startId\"`) {
			return fmt.Errorf("call %s: its arguments are not kept, but %q", c.Call, call.Text)
		}
	}
	return nil
}

// checkSidecar holds that the state file that goes with a session is there.
func checkSidecar(r *reading, want any) error {
	name := want.(string)
	_, err := os.Stat(filepath.Join(filepath.Dir(filepath.Dir(r.path)), filepath.FromSlash(name)))
	return err
}

// checkOpenAs holds that a subagent's file opened by itself has no records
// apart: all of them are its main chain.
func checkOpenAs(r *reading, want any) error {
	if want != "subagent" || r.session.Meter.Sidechain != 0 {
		return fmt.Errorf("opened as %v, %d records stand apart", want, r.session.Meter.Sidechain)
	}
	return nil
}
