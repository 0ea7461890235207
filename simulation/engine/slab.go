package engine

// slab hands out pieces of larger allocations. A simulation keeps many small things that live as long as it does; it begins
// with few of them at a time, because most simulations are small.
type slab[T any] struct {
	free []T
	next int
}

const (
	firstSlab = 8
	lastSlab  = 512
)

// take gives an empty slice with room for n.
func (s *slab[T]) take(n int) []T {
	if n > len(s.free) {
		s.next = min(max(2*s.next, firstSlab), lastSlab)
		s.free = make([]T, max(n, s.next))
	}
	piece := s.free[:0:n]
	s.free = s.free[n:]
	return piece
}

// copy gives a slice of the same.
func (s *slab[T]) copy(items []T) []T { return append(s.take(len(items)), items...) }
