package kernel

import "slices"

// sync sets which blocks are active: a block lives while anything that it
// covers, or its rendered summary, is in the list, unless another block
// consumed it or a person expanded it. It gives the new blocks (the same
// slice when nothing changed) and the blocks that were found absent.
func (f *facts) sync(l *lookup) (blocks []standing, absent []string) {
	consumed := f.consumed()
	blocks = f.blocks
	for i := range f.blocks {
		s := f.blocks[i]
		active := false
		if !consumed[s.ID] && !s.Expanded {
			active = l.present(&s)
			if !active {
				absent = append(absent, s.ID)
			}
		}
		if active == s.active {
			continue
		}
		if &blocks[0] == &f.blocks[0] { // the first change copies
			blocks = slices.Clone(f.blocks)
		}
		s.survived, s.since = s.survivedAt(f.turns), f.turns
		s.active = active
		blocks[i] = s
	}
	return blocks, absent
}

// leftBehind are the ids of the blocks that were active and are not any more.
func leftBehind(before, after []standing) []string {
	var ids []string
	for i := range before {
		if before[i].active && !after[i].active {
			ids = append(ids, before[i].ID)
		}
	}
	return ids
}

// consumed are the ids of the blocks that another block consumed.
func (f *facts) consumed() map[string]bool {
	out := map[string]bool{}
	for i := range f.blocks {
		for _, id := range f.blocks[i].DirectBlockIDs {
			out[id] = true
		}
	}
	return out
}

// present reports whether anything that the block covers is in the list, by
// base id, or a message with the id of its summary.
func (l *lookup) present(s *standing) bool {
	for _, id := range s.covers {
		if l.ids.At(int(l.ids.At(int(id)).base)).first >= 0 {
			return true
		}
	}
	return l.summaryAt(s.ID) >= 0
}

// summaryAt is the last position of a message with the id of the block's
// rendered summary, whatever its role, -1 without.
func (l *lookup) summaryAt(blockID string) int32 {
	for i := l.rendered.Len() - 1; i >= 0; i-- {
		pos := *l.rendered.At(i)
		if l.log.At(int(pos)).ID[len(renderedPrefix):] == blockID {
			return pos
		}
	}
	return -1
}

// renderedAt is the last position of the rendered summary of a block, -1
// without.
func (l *lookup) renderedAt(blockID string) int32 {
	for i := l.rendered.Len() - 1; i >= 0; i-- {
		pos := *l.rendered.At(i)
		if renderedBlock(l.log.At(int(pos))) == blockID {
			return pos
		}
	}
	return -1
}
