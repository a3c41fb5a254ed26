package kernel

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestScripts runs testdata/*.txt. Each file starts with an empty session.
// Commands:
//
//	config KEY=VALUE…     a new session: window, min-range, gate, recent-messages, recent-tokens, max-summary, min-summary, protect, latest, trigger2, trigger3, min-candidate
//	say id=ID role=ROLE   a message (type, tool, call, block, media; chars=N repeats the input up to N UTF-16 chars; repeat=N)
//	turn used=N           one turn with the host's count
//	ranges                what the last turn found, and what the executor says of each
//	check A..B…           what a call would do; summary=N gives it a summary of N chars
//	apply A..B…           the same, kept
//	pending               what each tier could reclaim
//	gates                 the gates of the last decision
//	state                 blocks and stamps
//
// More commands are in doMore.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d scripts (%v)", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			s := &script{}
			s.reset(Default(200000))
			datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string {
				out, err := s.do(t, d)
				if err != nil {
					return "error: " + err.Error() + "\n"
				}
				return out
			})
		})
	}
}

// A script is one session driven by hand.
type script struct {
	kernel *Kernel
	run    Run
	last   Report // of the last turn
	size   int    // of the journal
}

func (s *script) reset(config Config) {
	s.kernel = New(config, nil)
	s.run, s.last, s.size = s.kernel.Start(), Report{}, 0
	s.add(Entry{Op: Recording})
}

func (s *script) add(entries ...Entry) {
	s.run = s.kernel.AdvanceEach(s.run, Change{Keep: s.size, Entries: entries}, func(step Step) {
		if step.Turn != nil {
			s.last = step.Report()
		}
	})
	s.size += len(entries)
}

func (s *script) do(t *testing.T, d *datadriven.TestData) (string, error) {
	switch d.Cmd {
	case "config":
		return s.config(d)
	case "say":
		return s.say(d)
	case "turn":
		var used int
		d.ScanArgs(t, "used", &used)
		s.add(Entry{Op: RecordedTurn, Used: Tokens(used)})
		return decisionLine(s.last.Nudge), nil
	case "ranges":
		return s.ranges(), nil
	case "check", "apply":
		call, err := s.call(d)
		if err != nil {
			return "", err
		}
		if d.Cmd == "check" {
			return verdictText(s.kernel.Check(s.run, call)), nil
		}
		run, verdict := s.kernel.Apply(s.run, call)
		s.run = run
		return verdictText(verdict), nil
	case "pending":
		p := s.last.Pending
		return fmt.Sprintf("T1 %v, T2 %v in %d blocks, T3 %v in %d blocks\n", p.T1, p.T2, p.C2, p.T3, p.C3), nil
	case "gates":
		return gatesText(s.last.Nudge.Gates), nil
	case "state":
		return s.state(), nil
	}
	return s.doMore(t, d)
}

func (s *script) config(d *datadriven.TestData) (string, error) {
	config := Default(200000)
	for _, arg := range d.CmdArgs {
		if err := setOption(&config, arg.Key, strings.Join(arg.Vals, ",")); err != nil {
			return "", err
		}
	}
	s.reset(config)
	return "ok\n", nil
}

func setOption(c *Config, key, value string) error {
	numbers := map[string]func(int){
		"window":          func(n int) { c.ModelContextLimit = Tokens(n) },
		"min-range":       func(n int) { c.Compress.MinCompressRange = n },
		"max-summary":     func(n int) { c.Compress.MaxSummaryLength = Chars(n) },
		"min-summary":     func(n int) { c.Compress.MinSummaryLength = Chars(n) },
		"recent-messages": func(n int) { c.PreserveRecentMessages = n },
		"recent-tokens":   func(n int) { c.PreserveRecentTokens = Tokens(n) },
		"trigger2":        func(n int) { c.Tiers.Tier2Trigger = n },
		"trigger3":        func(n int) { c.Tiers.Tier3Trigger = n },
		"min-candidate":   func(n int) { c.MinCandidateTokens = Tokens(n) },
	}
	if set, ok := numbers[key]; ok {
		n, err := strconv.Atoi(value)
		set(n)
		return err
	}
	switch key {
	case "gate":
		c.GateUnit = GateUnit(value)
	case "protect":
		c.ProtectedTools = strings.Split(value, ",")
	case "latest":
		c.ProtectedLatestTools = strings.Split(value, ",")
	default:
		return fmt.Errorf("option %q is unknown", key)
	}
	return nil
}

func (s *script) say(d *datadriven.TestData) (string, error) {
	text, repeat := d.Input, 1
	m := Message{}
	for _, arg := range d.CmdArgs {
		value := strings.Join(arg.Vals, ",")
		var err error
		switch arg.Key {
		case "id":
			m.ID = value
		case "role":
			err = m.Role.UnmarshalText([]byte(value))
		case "type":
			err = m.Type.UnmarshalText([]byte(value))
		case "tool":
			m.ToolName = value
		case "call":
			m.ToolCallID = value
		case "block":
			m.SummaryOfBlockID = value
		case "media":
			m.Facts = HasMedia
		case "repeat":
			repeat, err = strconv.Atoi(value)
		case "chars":
			var n int
			n, err = strconv.Atoi(value)
			text = repeatedTo(d.Input, n)
		default:
			err = fmt.Errorf("%q is unknown", arg.Key)
		}
		if err != nil {
			return "", err
		}
	}
	m.Measure(text, nil)
	id := m.ID
	for i := 1; i <= repeat; i++ {
		if repeat > 1 {
			m.ID = fmt.Sprintf("%s%d", id, i)
		}
		s.add(Entry{Op: Append, Message: m})
	}
	return fmt.Sprintf("%d chars, %v tokens\n", m.Chars, m.Tokens), nil
}

// repeatedTo repeats unit up to n UTF-16 chars; where the last one would split
// a surrogate pair, x stands.
func repeatedTo(unit string, n int) string {
	if unit == "" {
		unit = "x"
	}
	text := head16(strings.Repeat(unit, n/int(Len16(unit))+1), n)
	return text + strings.Repeat("x", n-int(Len16(text)))
}

func (s *script) call(d *datadriven.TestData) (Call, error) {
	var call Call
	summary := ""
	for _, arg := range d.CmdArgs {
		start, end, ok := strings.Cut(arg.Key, "..")
		switch {
		case ok:
			call.Ranges = append(call.Ranges, CallRange{StartRef: start, EndRef: end})
		case arg.Key == "summary":
			n, err := strconv.Atoi(strings.Join(arg.Vals, ","))
			if err != nil {
				return call, err
			}
			summary = strings.Repeat("x", n)
		default:
			return call, fmt.Errorf("%q is no range", arg.Key)
		}
	}
	for i := range call.Ranges {
		call.Ranges[i].Summary = summary
	}
	return call, nil
}
