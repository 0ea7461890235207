package heap

import "testing"

// TestSlab takes pieces of many sizes and wants them zero, apart from each other, and from few allocations.
func TestSlab(t *testing.T) {
	var s Slab[int]
	var pieces [][]int
	for i := range 300 {
		piece := s.Take(i % 7)
		for _, v := range piece {
			if v != 0 {
				t.Fatalf("piece %d is not zero: %v", i, piece)
			}
		}
		for j := range piece {
			piece[j] = i
		}
		if _ = append(piece, -1); cap(piece) != len(piece) {
			t.Fatalf("piece %d has room that is not its own", i)
		}
		pieces = append(pieces, piece)
	}
	for i, piece := range pieces {
		for _, v := range piece {
			if v != i {
				t.Fatalf("piece %d was overwritten: %v", i, piece)
			}
		}
	}
	large := s.Copy(make([]int, 2*lastSlab))
	if len(large) != 2*lastSlab {
		t.Errorf("%d copied", len(large))
	}
	*s.New() = 1
	if n := testing.AllocsPerRun(100, func() {
		one := Slab[int]{Next: 100}
		for range 100 {
			one.New()
		}
	}); n != 1 {
		t.Errorf("%v allocations for a hundred that were foretold, want 1", n)
	}
}

// TestReset gives the same again, as zeroes, and lets go of what is unusually large.
func TestReset(t *testing.T) {
	var s Slab[int]
	for range 10 {
		for i := range 20 {
			piece := s.Take(i)
			for j := range piece {
				if piece[j] != 0 {
					t.Fatalf("%v was given before", piece)
				}
				piece[j] = i
			}
		}
		s.Reset()
	}
	if n := testing.AllocsPerRun(100, func() {
		s.Take(50)
		s.New()
		s.Reset()
	}); n != 0 {
		t.Errorf("%v allocations for what was taken back", n)
	}
	s.Take(2 * lastSlab)
	if s.Reset(); s.last != nil {
		t.Errorf("%d are kept", len(s.last))
	}
}
