package heap

// Slab hands out pieces of larger allocations, for many small things that live equally long. It begins with few of them at
// a time, or with Next, and doubles.
type Slab[T any] struct {
	Next int
	last []T // allocated
	used int // elements of last that were given
}

const (
	firstSlab = 8
	lastSlab  = 512
)

// Take returns n zeroes.
func (s *Slab[T]) Take(n int) []T {
	if n > len(s.last)-s.used {
		size := min(max(s.Next, firstSlab), lastSlab)
		s.last, s.used, s.Next = make([]T, max(n, size)), 0, 2*size
	}
	// With its capacity cut, so that appending to a piece does not run into the next.
	piece := s.last[s.used : s.used+n : s.used+n]
	s.used += n
	return piece
}

// New returns a place for one.
func (s *Slab[T]) New() *T { return &s.Take(1)[0] }

// Copy returns a slice of the same.
func (s *Slab[T]) Copy(items []T) []T {
	piece := s.Take(len(items))
	copy(piece, items)
	return piece
}

// Reset takes back everything that was given, to give it again. Of several allocations the last is kept, unless it is
// larger than usual.
func (s *Slab[T]) Reset() {
	if len(s.last) > lastSlab {
		s.last, s.used = nil, 0
	}
	clear(s.last[:s.used])
	s.used = 0
}
