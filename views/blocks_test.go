package views

import (
	"strings"
	"testing"
)

// The name of a block never runs into the refs that it covers.
func TestLongBlockNamesKeepTheirDistance(t *testing.T) {
	st := plainStyles()
	for _, id := range []string{"b1", "b10", "b123", "b12345"} {
		s := Screen{Blocks: Rows[BlockRow]{Len: 1, All: 1, At: func(int) BlockRow {
			return BlockRow{ID: id, Tier: 1, StartRef: "m00116", EndRef: "m00117", Active: true}
		}}}
		for _, width := range []int{60, 80, 120} {
			if frame := strings.Join(blocks(&s, &st, width, 4), "\n"); !strings.Contains(frame, id+" T1 m00116–m00117") {
				t.Errorf("%s at %d cells:\n%s", id, width, frame)
			}
		}
	}
}
