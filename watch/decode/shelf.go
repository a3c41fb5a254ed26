package decode

import "ctxscope/kernel"

// shelf keeps measured messages in the order in which they were put there.
// It grows board by board, so that a message never moves: a long session would
// be copied again and again otherwise.
type shelf struct {
	boards [][]kernel.Message
	count  int32
}

const (
	boardBits = 10
	boardSize = 1 << boardBits // messages
)

// put keeps a message and gives its place.
func (s *shelf) put(m *kernel.Message) int32 {
	at := s.count
	if at%boardSize == 0 {
		s.boards = append(s.boards, nil)
	}
	board := &s.boards[at>>boardBits]
	if len(*board) == cap(*board) && len(s.boards) > 1 {
		*board = make([]kernel.Message, 0, boardSize)
	}
	*board = append(*board, *m)
	s.count++
	return at
}

// at is the message at a place.
func (s *shelf) at(place int32) *kernel.Message {
	return &s.boards[place>>boardBits][place%boardSize]
}
