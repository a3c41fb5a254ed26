package decode

func (d *claude) Session() Session {
	d.chain.update()
	s := d.session
	s.Format, s.Agent, s.Counting = "claude", "Claude Code", "parts"
	s.Problems = d.lines.problems
	totals := &d.chain.totals
	if totals.model != none {
		s.Model = d.replies[totals.model].model
	}
	if totals.usage != none {
		s.Usage = d.replies[totals.usage].usage
		s.Usage.Stale = totals.stale
	}
	s.Usage.Before = totals.preceded
	s.Meter = Meter{
		Parts: int(totals.parts), Tokens: totals.tokens, Images: int(totals.images), Replies: int(totals.replies),
		OffBranch: d.tree.main - len(d.chain.slots) - len(d.chain.taken),
		Sidechain: d.sidechain, Dangling: len(d.tree.waits), Duplicates: d.duplicates, Unknown: d.unknown,
		Recovered: len(d.chain.taken), Cleared: d.clearedResults(),
	}
	return s
}

// clearedResults are the call ids of the results that the host said it cleared
// since the newest compaction, in the order in which it said so.
func (d *claude) clearedResults() []string {
	var marks []int32
	for slot := range d.cleared {
		if d.tree.records[slot].place > d.chain.totals.boundary {
			marks = append(marks, slot)
		}
	}
	d.chain.sort(marks)
	var ids []string
	met := map[string]bool{}
	for _, slot := range marks {
		for _, id := range d.cleared[slot] {
			if !met[id] {
				met[id] = true
				ids = append(ids, id)
			}
		}
	}
	return ids
}
