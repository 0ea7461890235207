package heap

// Slab hands out pieces of larger allocations, for many small things that live equally long. It begins with few of them at
// a time, or with Next, and doubles.
type Slab[T any] struct {
	Next int
	free []T
}

const (
	firstSlab = 8
	lastSlab  = 512
)

// Take gives n zeroes.
func (s *Slab[T]) Take(n int) []T {
	if n > len(s.free) {
		size := min(max(s.Next, firstSlab), lastSlab)
		s.free, s.Next = make([]T, max(n, size)), 2*size
	}
	piece := s.free[:n:n]
	s.free = s.free[n:]
	return piece
}

// New gives a place for one.
func (s *Slab[T]) New() *T { return &s.Take(1)[0] }

// Copy gives a slice of the same.
func (s *Slab[T]) Copy(items []T) []T {
	piece := s.Take(len(items))
	copy(piece, items)
	return piece
}
