package views

// batches draws the batches: ranges joined until the executor would take
// them, with its verdict on each.
func batches(s *Screen, st *Styles, width, lines int) []string {
	empty := "No batch."
	if s.Report != nil {
		empty = nothingFolds(s, 1000)
	}
	return rangeList(s, st, PanelBatches, s.Batches, emptyList(s, &s.Batches, empty), width, lines)
}

// batchesCaption is what stands in the title of the Batches panel.
func batchesCaption(s *Screen) []string {
	if s.Report == nil {
		return nil
	}
	n := s.Report.Nudge.Batches.Len()
	gate := "gate " + gateText(s)
	if n == 0 {
		return []string{"none, " + gate, "none"}
	}
	return []string{
		number(n) + ", " + number(s.Totals.BatchTokens) + " tokens, " + gate,
		number(n) + ", " + gate,
		number(n) + ", gate " + short(s.Config.Compress.MinCompressRange),
		number(n),
	}
}
