package kernel

import "encoding/json"

const listChunk = 128

// List is an immutable list. Lists that follow one another share what they
// have in common, so a long session's lists are cheap to keep.
type List[T any] struct {
	chunks []*[listChunk]T
	n      int
}

// ListOf makes a list of its arguments.
func ListOf[T any](items ...T) List[T] {
	var b listBuilder[T]
	for _, item := range items {
		b.push(item)
	}
	return b.list()
}

// listOver is a list of the items of a slice, which it takes over.
func listOver[T any](items []T) List[T] {
	l := List[T]{n: len(items)}
	whole := len(items) / listChunk * listChunk
	for from := 0; from < whole; from += listChunk {
		l.chunks = append(l.chunks, (*[listChunk]T)(items[from:from+listChunk]))
	}
	if whole < len(items) {
		rest := new([listChunk]T)
		copy(rest[:], items[whole:])
		l.chunks = append(l.chunks, rest)
	}
	return l
}

// Len is the number of items.
func (l List[T]) Len() int { return l.n }

// At gives item i, from 0. The item must not be changed.
func (l List[T]) At(i int) *T { return &l.chunks[i/listChunk][i%listChunk] }

// Slice copies the items from i up to j into a slice.
func (l List[T]) Slice(i, j int) []T {
	out := make([]T, 0, j-i)
	for ; i < j; i++ {
		out = append(out, *l.At(i))
	}
	return out
}

// All gives the items as a slice of their own.
func (l List[T]) All() []T { return l.Slice(0, l.n) }

// MarshalJSON writes an array; an empty list is [].
func (l List[T]) MarshalJSON() ([]byte, error) { return json.Marshal(l.All()) }

// UnmarshalJSON reads an array.
func (l *List[T]) UnmarshalJSON(data []byte) error {
	var items []T
	if err := json.Unmarshal(data, &items); err != nil {
		return err
	}
	*l = ListOf(items...)
	return nil
}

// listBuilder is a list that its owner changes. What a list made from it can
// see is never written again: a chunk is copied before its first change.
type listBuilder[T any] struct {
	chunks []*[listChunk]T
	own    []bool // chunks that no list sees
	n      int
	shared int  // items from here on are seen by no list
	lent   bool // a list sees the table of chunks
}

// list gives the items as they stand.
func (b *listBuilder[T]) list() List[T] {
	if b.shared != b.n || !b.lent {
		clear(b.own)
		b.shared, b.lent = b.n, true
	}
	return List[T]{chunks: b.chunks[:len(b.chunks):len(b.chunks)], n: b.n}
}

// builder starts a builder of the same items. The room behind them belongs to
// whoever made the list, so a chunk that is not full is copied.
func (l List[T]) builder() listBuilder[T] {
	b := listBuilder[T]{
		chunks: l.chunks[:len(l.chunks):len(l.chunks)],
		own:    make([]bool, len(l.chunks)),
		n:      l.n,
		shared: l.n,
		lent:   true,
	}
	if l.n%listChunk != 0 {
		b.take(l.n / listChunk)
	}
	return b
}

func (b *listBuilder[T]) at(i int) *T { return &b.chunks[i/listChunk][i%listChunk] }

func (b *listBuilder[T]) push(item T) {
	if b.n == len(b.chunks)*listChunk {
		b.chunks = append(b.chunks, new([listChunk]T))
		b.own = append(b.own, true)
	}
	b.chunks[b.n/listChunk][b.n%listChunk] = item
	b.n++
}

// set changes item i.
func (b *listBuilder[T]) set(i int, item T) {
	if i < b.shared {
		b.take(i / listChunk)
	}
	*b.at(i) = item
}

// take makes chunk c the builder's own.
func (b *listBuilder[T]) take(c int) {
	if b.own[c] {
		return
	}
	if b.lent {
		b.chunks = append(make([]*[listChunk]T, 0, len(b.chunks)+8), b.chunks...)
		b.lent = false
	}
	own := *b.chunks[c]
	b.chunks[c] = &own
	b.own[c] = true
}

// cut drops the items from n on.
func (b *listBuilder[T]) cut(n int) {
	if n >= b.n {
		return
	}
	keep := (n + listChunk - 1) / listChunk
	if n < b.shared {
		if n%listChunk != 0 {
			b.take(keep - 1)
		}
		if b.lent { // a later push would write the table that lists see
			b.chunks = append(make([]*[listChunk]T, 0, keep+8), b.chunks[:keep]...)
			b.lent = false
		}
		b.shared = n
	}
	b.chunks, b.own, b.n = b.chunks[:keep], b.own[:keep], n
}

// below is an ascending list without the items from cut on.
func below(l List[int32], cut int) List[int32] {
	for l.n > 0 && int(*l.At(l.n - 1)) >= cut {
		l.n--
	}
	return l
}
