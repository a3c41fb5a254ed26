package views

// slot is a box with the content lines that it needs and its share of the
// lines that are left over.
type slot struct {
	box   Box
	need  int
	share int
}

// stack fills r with boxes one below the other. The last one is closed by a
// lower border when they have sides.
func stack(r Rect, sides bool, slots ...slot) []Box {
	spare, shares := r.H, 0
	if sides {
		spare--
	}
	for _, s := range slots {
		spare -= 1 + s.need
		shares += s.share
	}
	boxes := make([]Box, len(slots))
	y := r.Y
	for i, s := range slots {
		lines := 1 + s.need
		if s.share > 0 {
			extra := spare * s.share / shares
			spare -= extra
			shares -= s.share
			lines += extra
		}
		b := s.box
		b.Sides, b.First = sides, i == 0
		if i == len(slots)-1 && sides {
			b.Close = true
			lines++
		}
		b.Rect = Rect{r.X, y, r.W, lines}
		y += lines
		boxes[i] = b
	}
	return boxes
}
