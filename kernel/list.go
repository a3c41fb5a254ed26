package kernel

import "encoding/json"

const listChunk = 256

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

// listBuilder is a list that its owner cuts at the end and appends to. What a
// list made from it can see is never written again.
type listBuilder[T any] struct {
	chunks []*[listChunk]T
	n      int
	shared int // the items below it are seen by lists
}

// list gives the items as they stand.
func (b *listBuilder[T]) list() List[T] {
	b.shared = b.n
	return List[T]{chunks: b.chunks[:len(b.chunks):len(b.chunks)], n: b.n}
}

// builder starts a builder of the same items.
func (l List[T]) builder() listBuilder[T] {
	return listBuilder[T]{chunks: l.chunks[:len(l.chunks):len(l.chunks)], n: l.n, shared: l.n}
}

func (b *listBuilder[T]) at(i int) *T { return &b.chunks[i/listChunk][i%listChunk] }

func (b *listBuilder[T]) push(item T) {
	if b.n == len(b.chunks)*listChunk {
		b.chunks = append(b.chunks, new([listChunk]T))
	}
	b.chunks[b.n/listChunk][b.n%listChunk] = item
	b.n++
}

// cut drops the items from n on.
func (b *listBuilder[T]) cut(n int) {
	if n >= b.n {
		return
	}
	keep := (n + listChunk - 1) / listChunk
	if n < b.shared {
		b.chunks = append(make([]*[listChunk]T, 0, keep+1), b.chunks[:keep]...)
		if n%listChunk != 0 {
			last := *b.chunks[keep-1]
			b.chunks[keep-1] = &last
		}
		b.shared = n
	} else {
		b.chunks = b.chunks[:keep]
	}
	b.n = n
}
