package kernel

import "slices"

// rangeVerdict starts a range's verdict with what was asked for.
func (e *execution) rangeVerdict(p *part) RangeVerdict {
	v := RangeVerdict{StartRef: p.StartRef, EndRef: p.EndRef}
	v.Picked = e.measure(p.positions)
	return v
}

// measure adds positions up.
func (e *execution) measure(positions []int32) Picked {
	var out Picked
	for _, pos := range positions {
		m := e.l.log.At(int(pos))
		out.Messages++
		out.Tokens += m.Size()
		out.Chars += m.Chars
		ref := e.l.ref(int(pos))
		if ref <= 0 {
			continue
		}
		if out.StartRef == "" {
			out.StartRef = formatRef(ref)
		}
		out.EndRef = formatRef(ref)
	}
	return out
}

// tell completes the verdict of a range that folds: what of the pick goes in,
// what comes with it, what stays.
func (f *folding) tell(b *Block) {
	v := f.v
	var folded []int32
	for _, id := range f.fresh.order {
		folded = append(folded, f.l.ids.At(int(id)).at)
	}
	slices.Sort(folded)
	v.Folded = f.measure(folded)
	v.BlockID, v.Tier, v.Consumes, v.Reclaims = b.ID, b.Tier, b.DirectBlockIDs, b.CompressedTokens
	v.Added = f.missing(folded, f.p.positions)
	v.LeftOut = f.missing(f.pickedAnew(), folded)
	switch {
	case len(v.LeftOut) > 0:
		v.Kind, v.Code = FoldsLess, "folds-less"
	case len(v.Added) > 0:
		v.Kind, v.Code = FoldsWider, "folds-wider"
	default:
		v.Kind, v.Code = Folds, "folds"
	}
	if len(v.Warnings) > 0 {
		v.Sentence = v.Warnings[0]
	}
}

// pickedAnew are the picked positions that no block covers yet.
func (f *folding) pickedAnew() []int32 {
	return slices.DeleteFunc(slices.Clone(f.p.positions), f.covers)
}

// missing names the positions of a that are not in b; both ascend. A message
// without a number is named by its id.
func (f *folding) missing(a, b []int32) []string {
	var out []string
	for _, pos := range a {
		if _, found := slices.BinarySearch(b, pos); found {
			continue
		}
		if ref := f.l.ref(int(pos)); ref > 0 {
			out = append(out, formatRef(ref))
		} else {
			out = append(out, f.l.log.At(int(pos)).ID)
		}
	}
	return out
}
