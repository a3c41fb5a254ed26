package views

import (
	"strconv"

	"ctxscope/kernel"
)

// TokenRow is one turn on every token scale that there is, in tokens.
type TokenRow struct {
	Turn     int
	Reported kernel.Tokens // the prompt of the turn's request as the provider counted it; 0: not reported
	Cached   kernel.Tokens // the part of Reported that was read from the cache
	Reply    kernel.Tokens // the reply, as reported
	Estimate kernel.Tokens // of what was sent, by the kernel's rule; negative: unknown
	Measured kernel.Tokens // of what was sent, by the tokenizer; negative: unknown
	Ratio    float64       // Reported to Estimate; 0: unknown
	Used     kernel.Count  // what the turn was decided by
	Frozen   bool          // Reported is what it was, though messages came
	Jump     bool          // Reported moved much more than what is sent
	Rewrite  bool          // the host rewrote its list before the turn
	Folds    int           // compress calls that folded before the turn
}

// TokenScales says what the rows of the Tokens panel are counted with.
type TokenScales struct {
	Tokenizer string        // the name of the tokenizer of Measured; empty: there is none
	Measuring bool          // Measured is being worked out
	Overhead  kernel.Tokens // reported prompt less what is sent, of the newest turn that tells; with OverheadOf
	OverTurn  int           // that turn; 0: none tells
	OverScale string        // what it was held against: "estimate", or a tokenizer
	InFile    kernel.Tokens // system prompt and tools that the file does show
	Reported  kernel.Tokens // the context size that was reported last; 0: none
	Stale     bool          // it is from before a compaction or an edit by the host
}

// tokenHead is the number of lines above the list of the Tokens panel.
func tokenHead(lines int) int {
	if lines < 8 {
		return 1
	}
	return 3
}

// tokens draws the token scales turn by turn.
func tokens(s *Screen, st *Styles, width, lines int) []string {
	out := tokenSentences(s, st, width, tokenHead(lines))
	lines -= tokenHead(lines)
	items, offset := visible(s.Tokens, lines-headLines(lines))
	c := tokenColumns(width)
	t := table[TokenRow]{
		st: st, rows: s.Tokens, focused: s.Focus == PanelTokens,
		head:  c.head(s, width),
		empty: emptyList(s, &s.Tokens, "No turn was finished yet."),
		row:   func(l *line, r TokenRow) { c.row(l, st, r) },
		mark:  func(TokenRow) Mark { return Mark{} },
	}
	return append(out, t.draw(items, offset, width, lines)...)
}

// tokenSentences say which scale decides, what no file shows, and what the
// marks mean, in lines lines.
func tokenSentences(s *Screen, st *Styles, width, lines int) []string {
	over := overheadText(s, width)
	if lines == 1 {
		return []string{plainLine(st.title, " "+over, width)}
	}
	decided := "Nothing was counted yet."
	if s.Report != nil {
		source, brief := sourceOf(s)
		decided = pick(width-2, "Decided by: "+source+", "+number(s.Report.Used.Tokens)+" tokens.", brief+", "+number(s.Report.Used.Tokens))
	}
	if x := &s.TokenScales; x.Stale {
		decided = pick(width-2,
			decided+" The "+number(x.Reported)+" reported last are from before a compaction: stale until the next reply.",
			number(x.Reported)+" reported are stale: before a compaction.", "reported: stale")
	}
	marks := pick(width-2,
		"C rewritten by the host   F folded   = reported stands still though messages came   ! reported jumps by what no message shows",
		"C rewritten  F folded  = reported stands still  ! it jumps", "C F  = stands still  ! jumps")
	return []string{plainLine(st.title, " "+decided, width), plainLine(paint{}, " "+over, width), plainLine(st.faint, " "+marks, width)}
}

// overheadText says how much of the prompt stands in no file.
func overheadText(s *Screen, width int) string {
	x := &s.TokenScales
	if x.OverTurn == 0 {
		return pick(width-2, "Overhead that no file shows (system prompt, tools): unknown, no turn was reported yet.", "overhead "+unknown)
	}
	shown := ""
	if x.InFile > 0 {
		shown = ", " + number(x.InFile) + " of it in the file"
	}
	n := number(x.Overhead)
	if x.Overhead < 0 {
		n = number(-x.Overhead)
		return pick(width-2,
			"No overhead shows (system prompt, tools): at turn "+number(x.OverTurn)+" the reported prompt is "+n+" tokens less than "+x.OverScale+" of what is sent.",
			"No overhead shows: reported is "+n+" tokens less than "+x.OverScale+", turn "+number(x.OverTurn), "no overhead shows")
	}
	return pick(width-2,
		"Overhead that no file shows (system prompt, tools): "+n+" tokens at turn "+number(x.OverTurn)+": reported prompt less "+x.OverScale+" of what is sent"+shown+".",
		"Overhead (system prompt, tools): "+n+" tokens at turn "+number(x.OverTurn)+", by "+x.OverScale+shown,
		"Overhead (prompt, tools): "+n+" by "+x.OverScale,
		"overhead "+short(x.Overhead))
}

// tokenWidths are the widths of the columns of the Tokens panel; 0 leaves a
// column out.
type tokenWidths struct {
	turn, reported, cached, fresh, reply, estimate, measured, ratio, marks int
	brief                                                                  bool
}

func tokenColumns(width int) tokenWidths {
	switch {
	case width >= 108:
		return tokenWidths{turn: 8, reported: 11, cached: 11, fresh: 10, reply: 9, estimate: 11, measured: 11, ratio: 8, marks: 8}
	case width >= 72:
		return tokenWidths{turn: 7, reported: 10, cached: 9, fresh: 8, reply: 7, estimate: 10, measured: 9, ratio: 6, marks: 5, brief: true}
	}
	return tokenWidths{turn: 6, reported: 8, estimate: 8, measured: 7, ratio: 5, marks: 4, brief: true}
}

func (c tokenWidths) head(s *Screen, width int) string {
	tokenizer := s.TokenScales.Tokenizer
	if tokenizer == "" {
		tokenizer = "tokenizer"
	}
	l := newLine(width)
	l.gap(2)
	l.right(paint{}, "turn", c.turn-2)
	l.right(paint{}, pick(c.reported-1, "reported", "report."), c.reported)
	l.right(paint{}, "cached", c.cached)
	l.right(paint{}, "fresh", c.fresh)
	l.right(paint{}, "reply", c.reply)
	l.right(paint{}, pick(c.estimate-1, "estimate", "estim."), c.estimate)
	l.right(paint{}, tokenizer, c.measured)
	l.right(paint{}, "ratio", c.ratio)
	l.gap(1)
	l.cell(paint{}, "marks", c.marks)
	if l.left > 12 {
		l.gap(1)
		l.rest(paint{}, "decided by")
	}
	return l.String()
}

func (c tokenWidths) row(l *line, st *Styles, r TokenRow) {
	count := func(n kernel.Tokens, known bool, cells int) {
		text := "–"
		switch {
		case known && c.brief:
			text = pick(cells-1, number(n), short(n))
		case known:
			text = number(n)
		}
		l.right(paint{}, text, cells)
	}
	l.right(paint{}, number(r.Turn), c.turn-2)
	count(r.Reported, r.Reported > 0, c.reported)
	count(r.Cached, r.Reported > 0, c.cached)
	count(r.Reported-r.Cached, r.Reported > 0, c.fresh)
	count(r.Reply, r.Reported > 0, c.reply)
	count(r.Estimate, r.Estimate >= 0, c.estimate)
	count(r.Measured, r.Measured >= 0, c.measured)
	ratio := "–"
	if r.Ratio > 0 {
		ratio = ratioText(r.Ratio)
	}
	l.right(paint{}, ratio, c.ratio)
	l.gap(1)
	p := paint{}
	if r.Frozen || r.Jump {
		p = st.warn
	}
	l.cell(p, tokenMarks(r), c.marks)
	if l.left > 12 {
		l.gap(1)
		l.rest(st.faint, decidedBy(r))
	}
}

// TokenText is everything that is known of a turn's tokens, for the reader.
func TokenText(r TokenRow, x TokenScales) string {
	row := func(name string, n kernel.Tokens, known bool) string {
		text := unknown
		if known {
			text = number(n) + " tokens"
		}
		return Fit(name, 34) + text + "\n"
	}
	tokenizer := "a tokenizer"
	if x.Tokenizer != "" {
		tokenizer = x.Tokenizer
	}
	text := row("decided by ("+string(r.Used.Source)+")", r.Used.Tokens, true) +
		"\nReported by the provider for this turn's request\n" +
		row("  prompt", r.Reported, r.Reported > 0) + row("  of it read from the cache", r.Cached, r.Reported > 0) +
		row("  of it fresh", r.Reported-r.Cached, r.Reported > 0) + row("  reply", r.Reply, r.Reported > 0) +
		"\nWhat is sent, without what no file shows\n" +
		row("  by the estimate", r.Estimate, r.Estimate >= 0) + row("  by "+tokenizer, r.Measured, r.Measured >= 0)
	if r.Reported > 0 && r.Estimate >= 0 {
		text += row("  reported less estimate", r.Reported-r.Estimate, true)
	}
	if r.Ratio > 0 {
		text += Fit("  reported to estimate", 34) + ratioText(r.Ratio) + "\n"
	}
	for _, m := range []struct {
		on   bool
		says string
	}{
		{r.Rewrite, "C: the host rewrote its list before this turn (a compaction, an edit)."},
		{r.Folds > 0, "F: " + plural(r.Folds, "compress call", "compress calls") + " folded before this turn."},
		{r.Frozen, "=: the reported prompt is what it was the turn before, though messages came."},
		{r.Jump, "!: the reported prompt moved by 10,000 tokens more than what is sent did: something that no message shows came or went."},
	} {
		if m.on {
			text += "\n" + m.says
		}
	}
	return text
}

// ratioText is a ratio in four characters or a few more.
func ratioText(x float64) string {
	switch {
	case x >= 100:
		return number(x)
	case x >= 10:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// tokenMarks are the letters of what is odd about a turn.
func tokenMarks(r TokenRow) string {
	text := ""
	for _, m := range []struct {
		on   bool
		text string
	}{{r.Rewrite, "C"}, {r.Folds > 0, "F"}, {r.Frozen, "="}, {r.Jump, "!"}} {
		if m.on {
			text += m.text
		}
	}
	return text
}

// decidedBy names the scale that a turn was decided by.
func decidedBy(r TokenRow) string {
	text := string(r.Used.Source) + " " + number(r.Used.Tokens)
	if r.Used.Old {
		text += ", from before a fold"
	}
	return text
}

// tokensCaption is what stands in the title of the Tokens panel.
func tokensCaption(s *Screen) []string {
	x := &s.TokenScales
	text := plural(s.Tokens.All, "turn", "turns")
	switch {
	case x.Measuring:
		return []string{text + ", measuring with " + x.Tokenizer + " …", text + ", measuring …", text}
	case x.Tokenizer == "":
		return []string{text + ", no second counter", text}
	}
	return []string{text + ", reported beside estimate and " + x.Tokenizer, text}
}
