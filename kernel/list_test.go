package kernel

import (
	"math/rand"
	"slices"
	"testing"
)

// Lists taken from a builder keep what they saw, whatever the builder does.
func TestListKeepsWhatItSaw(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	var b listBuilder[int]
	var want []int
	type seen struct {
		list  List[int]
		items []int
	}
	var kept []seen
	for range 20000 {
		switch n := random.Intn(20); {
		case n < 14:
			v := random.Int()
			b.push(v)
			want = append(want, v)
		case n < 17 && len(want) > 0:
			i, v := random.Intn(len(want)), random.Int()
			b.set(i, v)
			want[i] = v
		case n < 18:
			cut := max(0, len(want)-random.Intn(40))
			b.cut(cut)
			want = want[:cut]
		default:
			kept = append(kept, seen{b.list(), slices.Clone(want)})
			if random.Intn(50) == 0 {
				b = kept[random.Intn(len(kept))].list.builder()
				want = b.list().All()
			}
		}
	}
	for i, s := range kept {
		if !slices.Equal(s.list.All(), s.items) {
			t.Fatalf("list %d of %d changed after it was taken", i, len(kept))
		}
	}
}
