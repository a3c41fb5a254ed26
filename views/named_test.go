package views

import (
	"strings"
	"testing"

	"ctxscope/kernel"
)

// The hosts number their messages in different ways, and a ref of one is not
// that of another.
func TestTheScreenSaysWhatARefNumbers(t *testing.T) {
	for counting, brief := range map[string]string{
		"Pi host messages": "212 Pi host messages, sent 176", "whole opencode messages": "212 opencode messages, sent 176", "parts": "212 parts, sent 176",
	} {
		for _, size := range [][2]int{{120, 40}, {200, 60}, {80, 24}} {
			s := screen(size[0], size[1])
			s.Session.Counting = counting
			s.Focus, s.Zoom = PanelMessages, size[0] == 80
			if frame := Frame(s, plainStyles()); !strings.Contains(frame, brief) {
				t.Errorf("%v: it does not say %q:\n%s", size, brief, frame)
			}
		}
		help := screen(80, 24)
		help.Focus, help.Session.Counting = PanelHelp, counting
		all := ""
		for ; help.Scroll <= MaxScroll(help); help.Scroll += 10 {
			all += strings.ReplaceAll(Frame(help, plainStyles()), "│", " ")
		}
		if !strings.Contains(strings.Join(strings.Fields(all), " "), "in this session refs number "+counting) {
			t.Errorf("the help does not say that refs number %s", counting)
		}
	}
}

// Whatever the context was counted by, the scale of the lists is named too.
func TestTheScaleOfTheListsIsNamed(t *testing.T) {
	for _, counter := range []string{"estimate", "o200k", "cl100k"} {
		for _, source := range []kernel.CountSource{kernel.CountReported, kernel.CountExtended, kernel.CountEstimate, kernel.CountRecorded} {
			for _, size := range [][2]int{{80, 24}, {100, 30}, {120, 40}, {200, 60}} {
				for p := PanelBatches; p <= LastNumbered; p++ {
					s := screen(size[0], size[1])
					s.Focus, s.Session.Counter, s.Session.NotHost = p, counter, counter != "estimate"
					s.Report.Used.Source = source
					if frame := Frame(s, plainStyles()); !strings.Contains(frame, counter) {
						t.Fatalf("%s, %s at %v, %s: the frame does not name %s:\n%s", counter, source, size, p, counter, frame)
					}
				}
			}
		}
	}
}

// Whose settings are used is said on every usual screen: the file that counts
// most by its name.
func TestTheFileOfTheSettingsIsNamed(t *testing.T) {
	for _, over := range [][]string{{"rules.jsonc"}, {"~/.pi/agent/acp.jsonc"}, {"~/.pi/agent/acp.jsonc", "rules.jsonc"}, {"~/.config/opencode/acp.jsonc", "~/a/folder/of/some/depth/.opencode/acp.jsonc"}} {
		for _, size := range [][2]int{{80, 24}, {100, 30}, {120, 40}, {200, 60}} {
			s := screen(size[0], size[1])
			s.ConfigFrom, s.ConfigOver = "kernel defaults, "+strings.Join(over, " laid over them, ")+" laid over them", over
			most := over[len(over)-1]
			frame := Frame(s, plainStyles())
			if !strings.Contains(frame, most[strings.LastIndexByte(most, '/')+1:]) {
				t.Errorf("at %v %s is not named:\n%s", size, most, frame)
			}
		}
	}
}

func TestACountFromBeforeACompactionSaysSoAtEverySize(t *testing.T) {
	for _, width := range []int{80, 100, 120, 200} {
		if frame := Frame(staleCount(width, 24), plainStyles()); !strings.Contains(frame, "stale") || !strings.Contains(frame, "estimate") {
			t.Errorf("at %d cells:\n%s", width, strings.SplitN(frame, "\n", 5)[3])
		}
	}
}
