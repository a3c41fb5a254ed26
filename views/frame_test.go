package views

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"ctxscope/kernel"
)

func TestEveryStateFitsEverySize(t *testing.T) {
	st := plainStyles()
	for _, state := range states {
		for _, w := range []int{1, 7, 39, 40, 60, 72, 99, 100, 250} {
			for _, h := range []int{1, 9, 10, 12, 24, 30, 80} {
				sized(t, state.name, Frame(state.make(w, h), st), w, h)
				if t.Failed() {
					t.Fatalf("%s at %dx%d", state.name, w, h)
				}
			}
		}
	}
}

func TestTheCursorIsOnTheScreenWhereverItStands(t *testing.T) {
	st := plainStyles()
	for _, size := range [][2]int{{40, 10}, {40, 12}, {80, 24}, {120, 40}} {
		for _, at := range []int{0, 1, 5, 100, 210, 211} {
			s := focused(size[0], size[1], PanelMessages)
			s.Messages.Selected = at
			place(&s)
			if frame := Frame(s, st); !strings.Contains(frame, "▸ "+ref(at+1)) && !strings.Contains(frame, "▸ BLOCKED") {
				t.Errorf("%v: row %d is not to be seen:\n%s", size, at, frame)
			}
		}
	}
}

func TestACutListSaysHowMuchIsMissing(t *testing.T) {
	s := focused(80, 24, PanelMessages)
	s.Messages.Selected, s.Messages.Offset = 0, 0
	shown := Shown(212, 0, Layout(80, 24, s.Want()).Lines(PanelMessages))
	if want := "… " + number(212-shown) + " more"; !strings.Contains(Frame(s, plainStyles()), want) {
		t.Errorf("%q is missing", want)
	}
}

func TestScrollKeepsTheCursorVisibleAndWastesNoLine(t *testing.T) {
	for _, total := range []int{0, 1, 3, 4, 5, 9, 100} {
		for _, lines := range []int{0, 1, 2, 4, 9} {
			for selected := -1; selected <= total; selected++ {
				for _, offset := range []int{-5, 0, 1, 3, 50, 200} {
					got := Scroll(total, offset, selected, lines)
					if total == 0 || lines == 0 {
						if got != 0 {
							t.Fatalf("Scroll(%d, %d, %d, %d) = %d", total, offset, selected, lines, got)
						}
						continue
					}
					row := min(max(selected, 0), total-1)
					shown := max(1, Shown(total, got, lines))
					if row < got || row >= got+shown {
						t.Fatalf("Scroll(%d, %d, %d, %d) = %d hides the cursor", total, offset, selected, lines, got)
					}
					if got > max(0, total-max(1, lines)) && lines > 1 {
						t.Fatalf("Scroll(%d, %d, %d, %d) = %d leaves lines empty", total, offset, selected, lines, got)
					}
				}
			}
		}
	}
}

func TestOnlyVisibleRowsAreAskedFor(t *testing.T) {
	s := focused(200, 60, PanelMessages)
	asked := 0
	at := s.Messages.At
	s.Messages.Len, s.Messages.All = 20000, 20000
	s.Messages.At = func(i int) MessageRow {
		asked++
		return at(i % 200)
	}
	Frame(s, plainStyles())
	if asked == 0 || asked > 60 {
		t.Errorf("%d of 20,000 rows were asked for", asked)
	}
}

func TestUnknownIsNeverZero(t *testing.T) {
	for _, size := range allSizes {
		frame := Frame(waiting(size[0], size[1]), plainStyles())
		for _, wrong := range []string{"0 of", "0 tokens", " 0 %", "0 batches"} {
			if strings.Contains(strings.ReplaceAll(frame, "200,000", ""), wrong) {
				t.Errorf("%v: %q stands for what is not known:\n%s", size, wrong, frame)
			}
		}
	}
	s := unknowns(120, 40)
	frame := Frame(s, plainStyles())
	for _, want := range []string{"session unknown", "window unknown", "94,000 tokens of an unknown window"} {
		if !strings.Contains(frame, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

func TestTheVerdictsAreWords(t *testing.T) {
	row := aRange(1, 9, 2000, 50)
	tests := []struct {
		verdict     *kernel.Verdict
		wide, small string
	}{
		{nil, "checking …", "checking …"},
		{answer(row, kernel.Folds, nil, nil), "folds", "folds"},
		{answer(row, kernel.FoldsWider, []string{"m00010"}, nil), "folds wider (+1)", "wider +1"},
		{answer(row, kernel.FoldsLess, nil, []string{"m00001", "m00002"}), "folds less (−2)", "less −2"},
		{answer(row, kernel.Skipped, nil, nil), "skipped", "skipped"},
		{tooSmall(row, 40), "refused: 40 chars short", "no: short 40"},
	}
	for _, test := range tests {
		if got := verdictWords(test.verdict, 40); got != test.wide {
			t.Errorf("wide: %q, want %q", got, test.wide)
		}
		if got := verdictWords(test.verdict, 12); got != test.small {
			t.Errorf("narrow: %q, want %q", got, test.small)
		}
	}
}

func TestTheSentenceNamesTheReasonAtEverySize(t *testing.T) {
	tests := []struct {
		name string
		make func(w, h int) Screen
		want []string // one of them stands in the first two lines
	}{
		{"idle", screen, []string{"Idle"}},
		{"nudge", nudged, []string{"Nudge"}},
		{"over-limit", overLimit, []string{"over the limit"}},
		{"emergency", emergency, []string{"No nudge"}},
		{"waiting", waiting, []string{"Waiting for the first message"}},
		{"loading", loading, []string{"Reading the session"}},
		{"nothing to fold", nothingToFold, []string{"Nothing to fold"}},
		{"all is kept", emergency, []string{"Nothing to fold"}},
		{"no file", noFile, []string{"There is no such file", "waiting for the file to be made"}},
		{"growth is due", growthDue, []string{"No nudge"}},
	}
	for _, test := range tests {
		for _, size := range append([][2]int{{60, 20}, {100, 30}, {160, 50}}, allSizes...) {
			lines := strings.SplitN(Frame(test.make(size[0], size[1]), plainStyles()), "\n", 4)
			text := lines[1] + lines[2]
			for _, want := range test.want {
				if !strings.Contains(text, want) {
					t.Errorf("%s at %v: %q says nothing of %q", test.name, size, text, want)
				}
			}
			for _, line := range lines[1:3] {
				if strings.Contains(line, "…") {
					t.Errorf("%s at %v: %q is cut", test.name, size, line)
				}
			}
		}
	}
}

func TestWhatIsSaidOnceIsNotSaidAtTheFoot(t *testing.T) {
	frame := Frame(noFile(80, 24), plainStyles())
	if n := strings.Count(frame, "waiting for the file to be made"); n != 1 {
		t.Errorf("said %d times, want once:\n%s", n, frame)
	}
}

func TestACountFromBeforeAFoldSaysSoAtEverySize(t *testing.T) {
	for _, width := range []int{80, 100, 120, 200} {
		if frame := Frame(oldCount(width, 24), plainStyles()); !strings.Contains(frame, "before the last fold") {
			t.Errorf("at %d cells:\n%s", width, strings.SplitN(frame, "\n", 5)[3])
		}
	}
}

func TestTheHeaderLeavesOutFromTheEnd(t *testing.T) {
	s := screen(80, 24)
	s.Session.Follow, s.Session.Mode = Paused, "demo 16x"
	head, _, _ := strings.Cut(Frame(s, plainStyles()), "\n")
	if strings.Contains(head, "kernel defaults") && !strings.Contains(head, "200,000") {
		t.Errorf("the configuration stands where the window had no room: %q", head)
	}
}

func TestAProblemCanBeReadInFull(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		s := longProblem(size[0], size[1])
		frame := strings.Join(strings.Fields(strings.NewReplacer("│", " ", "\n", " ").Replace(Frame(s, plainStyles()))), " ")
		if want := s.Problems.At(1).Reason; !strings.Contains(frame, want) {
			t.Errorf("at %v: %q is missing in %s", size, want, frame)
		}
	}
}

func TestTroublesNameTheirKeyAtTheFoot(t *testing.T) {
	frame := Frame(longProblem(80, 24), plainStyles())
	foot := frame[strings.LastIndex(frame, "\n"):]
	if want := "p 2 lines skipped, 1 wrong setting"; !strings.Contains(foot, want) {
		t.Errorf("foot %q, want %q", foot, want)
	}
}

func TestTheHelpNamesThePanelsByTheirNumbers(t *testing.T) {
	var names []string
	for p := PanelBatches; p <= LastNumbered; p++ {
		names = append(names, p.String())
	}
	text := strings.Join(strings.Fields(strings.Join(keyLines(keyGroups(), &Styles{}, 200), " ")), " ")
	if want := "the panel of that number: " + strings.Join(names, ", "); !strings.Contains(text, want) {
		t.Errorf("%q is missing", want)
	}
}

func TestALabelNeverTouchesItsFact(t *testing.T) {
	for _, width := range []int{80, 100, 120} {
		s := laidOpen(screen(width, 40))
		s.Zoom = false
		frame := Frame(s, plainStyles())
		if !strings.Contains(frame, "text ") || strings.Contains(frame, "text1") {
			t.Errorf("at %d cells:\n%s", width, frame)
		}
	}
}

func TestMaxScrollShowsTheLastLine(t *testing.T) {
	s := focused(80, 24, PanelHelp)
	s.Scroll = MaxScroll(s)
	frame := Frame(s, plainStyles())
	if s.Scroll == 0 || !strings.Contains(frame, "never touched") || strings.Contains(frame, "more lines") {
		t.Errorf("scrolled by %d, the end is not to be seen:\n%s", s.Scroll, frame)
	}
	s.Scroll--
	if frame := Frame(s, plainStyles()); !strings.Contains(frame, "more lines") {
		t.Errorf("%d is not the least that shows the end", s.Scroll+1)
	}
	if got := MaxScroll(summary(80, 24)); got != 0 {
		t.Errorf("the summary's panel scrolls by %d, its text follows the cursor", got)
	}
	s.Scroll = 0
	if s.Width, s.Height = 200, 80; MaxScroll(s) != 0 {
		t.Errorf("everything fits, but %d lines can be scrolled", MaxScroll(s))
	}
}

func TestTheEditorKeepsItsCursorVisible(t *testing.T) {
	st := plainStyles()
	text := strings.Repeat("a long line of words that has to be wrapped 日本語 ", 20) + "\n" + strings.Repeat("x\n", 50)
	for _, at := range [][2]int{{0, 0}, {0, 500}, {1, 0}, {30, 1}, {51, 0}, {99, 99}} {
		e := Editor{Text: text, Line: at[0], Col: at[1]}
		lines := editor(&e, &st, 30, 4)
		if len(lines) != 4 {
			t.Fatalf("%d lines", len(lines))
		}
		if !strings.Contains(strings.Join(lines, ""), "▏") && at[0] <= 51 {
			t.Errorf("the cursor at %v is not to be seen", at)
		}
	}
}

func FuzzFrame(f *testing.F) {
	for i := range states {
		f.Add(uint16(80), uint16(24), uint8(i), "orders\x1b[31m", "日本語👩‍👩‍👧 text", 3)
	}
	f.Fuzz(func(t *testing.T, width, height uint16, which uint8, name, text string, at int) {
		w, h := 1+int(width)%250, 1+int(height)%80
		s := states[int(which)%len(states)].make(w, h)
		s.Session.Name, s.Session.Model, s.Session.Note = name, text, text
		s.Messages.Offset, s.Messages.Selected, s.Scroll = at, at, at
		tool := s.Messages.At
		if s.Messages.Len > 0 {
			s.Messages.At = func(i int) MessageRow {
				m := tool(i)
				m.Ref, m.Tool, m.Standing.Why = name, text, name
				return m
			}
		}
		s.Form.Ranges = append(s.Form.Ranges, Pick{name, text, false})
		s.Form.Editor = Editor{Text: text, Line: at, Col: at}
		s.Batches.Filter = text
		if s.Reader != nil {
			s.Reader.Title, s.Reader.Lines, s.Reader.Offset = name, strings.Split(text, "x"), at
		}
		if s.Report != nil {
			s.Report.Nudge.Reason = text
		}
		frame := Frame(s, plainStyles())
		sized(t, states[int(which)%len(states)].name, frame, w, h)
		if ansi.Strip(Frame(s, styles(termenv.TrueColor, false))) != frame {
			t.Error("colours change more than colours")
		}
	})
}

func TestCharactersThatJoinTheirNeighboursStayInTheirCells(t *testing.T) {
	for _, text := range []string{
		"\u0301acute", "\u200dzwj", "🏽tone", "ำsara", "ﾞvoiced", "\ufe0fselector", "\u0903visarga", "ᅡvowel", "ᆨtail", "🇩flag half", "\u20e3keycap",
		"repha\u0d4e", "prepend\U000110bd", "end zwj\u200d", "end emoji 👩\u200d", "🇩🇪🇫", "\u0e33", "\u200c", "ൎ", "\U00011f02",
	} {
		s := focused(120, 40, PanelMessages)
		s.Session.Name, s.Session.Agent = text, text
		at := s.Messages.At
		s.Messages.At = func(i int) MessageRow {
			m := at(i)
			m.Tool, m.Ref = text, text
			return m
		}
		s.Report.Nudge.Reason = text + " " + text
		sized(t, text, Frame(s, plainStyles()), 120, 40)
		for cells := 1; cells < 12; cells++ {
			if w := ansi.StringWidth("x" + Fit(text, cells) + "│"); w != cells+2 {
				t.Errorf("%q in %d cells takes %d", text, cells, w-2)
			}
			if w := ansi.StringWidth("x" + FitRight(text, cells) + "│"); w != cells+2 {
				t.Errorf("%q at the right of %d cells takes %d", text, cells, w-2)
			}
		}
	}
}
