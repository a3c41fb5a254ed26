package views

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"ctxscope/kernel"
)

var sessionStates = []state{
	{"sessions", allSizes, chosen},
	{"sessions-looking", [][2]int{{80, 24}}, lookingForSessions},
	{"tokens", allSizes, scaled},
	{"tokens-stale", [][2]int{{80, 24}, {120, 40}}, scaledStale},
	{"growth", allSizes, grown},
	{"growth-young", [][2]int{{80, 24}}, grownYoung},
}

func init() { states = append(states, sessionStates...) }

// chosen is the list of sessions.
func chosen(w, h int) Screen {
	s := screen(w, h)
	s.Focus = PanelSessions
	s.Choice = Choice{Folders: 2, Sessions: 3, Refused: 1}
	minutes := func(n int64) int64 { return s.Now - n*60_000 }
	s.Sessions = list(2,
		SessionRow{Folder: "/code/orders-service", Here: true, Sessions: 2},
		SessionRow{Agent: "Claude Code", About: "Fix the login page", Modified: minutes(2), Size: 1_240_000, Context: 118_290, Window: 200_000, Known: true, Running: true},
		SessionRow{Agent: "Claude Code", About: "Search for callers", Modified: minutes(3), Size: 52_000, Context: 9_100, Window: 200_000, Known: true, Running: true, Subagent: true},
		SessionRow{Agent: "pi", About: "orders-service", Modified: minutes(200), Size: 412_000_000, Shown: true},
		SessionRow{Folder: "/code/汉字/a-folder-with-a-long-name/that-goes-on", Sessions: 1},
		SessionRow{Agent: "Codex CLI", About: "Rename \x1b[31mit", Modified: minutes(60 * 50), Size: 900, Context: 260_000, Known: true},
	)
	return s
}

func lookingForSessions(w, h int) Screen {
	s := chosen(w, h)
	s.Choice = Choice{Looking: true}
	s.Sessions = Rows[SessionRow]{}
	return s
}

// scaled is the ledger of token scales.
func scaled(w, h int) Screen {
	s := screen(w, h)
	s.Focus = PanelTokens
	s.TokenScales = TokenScales{Tokenizer: "o200k", Overhead: 12_290, OverTurn: 212, OverScale: "o200k", Reported: 118_290}
	s.Tokens = list(4,
		TokenRow{Turn: 208, Reported: 96_000, Cached: 90_000, Reply: 812, Estimate: 82_400, Measured: 84_100, Ratio: 1.17, Used: kernel.Count{Tokens: 96_400, Source: kernel.CountExtended}},
		TokenRow{Turn: 209, Reported: 96_000, Cached: 90_000, Reply: 640, Estimate: 87_000, Measured: 88_700, Ratio: 1.1, Used: kernel.Count{Tokens: 97_000, Source: kernel.CountExtended}, Frozen: true},
		TokenRow{Turn: 210, Reported: 141_000, Cached: 0, Reply: 1_400, Estimate: 88_200, Measured: 90_000, Ratio: 1.6, Used: kernel.Count{Tokens: 98_000, Source: kernel.CountExtended}, Jump: true},
		TokenRow{Turn: 211, Estimate: 41_000, Measured: -1, Used: kernel.Count{Tokens: 41_000, Source: kernel.CountEstimate}, Rewrite: true},
		TokenRow{Turn: 212, Reported: 52_300, Cached: 41_000, Reply: 310, Estimate: 40_010, Measured: -1, Ratio: 1.31, Used: kernel.Count{Tokens: 118_290, Source: kernel.CountReported, Old: true}, Folds: 1},
	)
	return s
}

func scaledStale(w, h int) Screen {
	s := scaled(w, h)
	s.TokenScales = TokenScales{Tokenizer: "o200k", Measuring: true, Reported: 155_000, Stale: true}
	return s
}

// grown is the chart of a session that was folded, compacted and nudged.
func grown(w, h int) Screen {
	s := screen(w, h)
	s.Focus = PanelGrowth
	s.Growth = Growth{Len: 212, At: func(i int) GrowthPoint {
		p := GrowthPoint{Tokens: kernel.Tokens(20_000 + i%120*1_450), Fold: i == 60, Rewrite: i == 120, Nudge: i%40 == 30 || i > 112 && i < 118}
		return p
	}}
	return s
}

func grownYoung(w, h int) Screen {
	s := grown(w, h)
	s.Growth = Growth{Len: 1, At: func(int) GrowthPoint { return GrowthPoint{Tokens: 31_000} }}
	return s
}

// Each row tells agent, age, size, fill, whether it runs, and whose subagent it
// is, from 80 cells on.
func TestTheListOfSessionsTellsAllAtEveryUsualSize(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {100, 30}, {120, 40}, {200, 60}} {
		s := chosen(size[0], size[1])
		row := s.Sessions.At(3)
		row.Running = true
		s.Sessions = list(2, s.Sessions.At(0), s.Sessions.At(1), s.Sessions.At(2), row)
		frame := Frame(s, plainStyles())
		for about, want := range map[string][]string{
			"Fix the":        {"running", "2 min ago", "Claude Code", "1.2 MB", "59 %"},
			"Search":         {"└ running", "3 min ago", "Claude Code", "52 KB", "4.5 %"},
			"orders-service": {"shown, running", "3 h ago", "pi", "412.0 MB", "?"},
		} {
			found := ""
			for line := range strings.Lines(frame) {
				if strings.HasPrefix(line, "│") && strings.Contains(line, about) && strings.Contains(line, " ago") {
					found = line
				}
			}
			for _, text := range want {
				if !strings.Contains(found, text) {
					t.Errorf("at %v the row of %q does not say %q: %q", size, about, text, found)
				}
			}
		}
	}
}

// A chart of any length on any screen is as large as the screen.
func TestChartsFitEveryScreen(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 50, 1000} {
		for w := 1; w <= 220; w += 13 {
			for h := 1; h <= 70; h += 7 {
				s := grown(w, h)
				s.Growth.Len = n
				sized(t, fmt.Sprintf("%d turns at %dx%d", n, w, h), Frame(s, plainStyles()), w, h)
				s.Session.Window = 0
				sized(t, fmt.Sprintf("%d turns without a window at %dx%d", n, w, h), Frame(s, plainStyles()), w, h)
			}
		}
	}
	if MaxScroll(grown(120, 40)) != 0 {
		t.Error("a chart can be scrolled")
	}
}

func TestAChartOfNothingSaysWhy(t *testing.T) {
	s := grown(80, 24)
	s.Growth = Growth{}
	if frame := Frame(s, plainStyles()); !strings.Contains(frame, "No turn was finished yet.") {
		t.Errorf("without a turn:\n%s", frame)
	}
	s.Report = nil
	if frame := Frame(s, plainStyles()); !strings.Contains(frame, "Nothing was read yet.") || strings.Contains(frame, "No turn") {
		t.Errorf("while it is read:\n%s", frame)
	}
}

func TestAColouredChartSaysTheSame(t *testing.T) {
	colour := Frame(grown(120, 40), styles(termenv.ANSI256, true))
	if plain := Frame(grown(120, 40), plainStyles()); ansi.Strip(colour) != plain || colour == plain {
		t.Error("colours change more than colours, or nothing")
	}
}
