package heap

import (
	"errors"
	"sync"
	"testing"
)

func wantShortage(t *testing.T, err error, others bool) {
	t.Helper()
	var s *Shortage
	if !errors.As(err, &s) || s.Others != others {
		t.Errorf("got %v, want a shortage with others %v", err, others)
	}
}

// TestBudget has two who hold much refused while somebody small is not.
func TestBudget(t *testing.T) {
	b := NewBudget(16 << 20)
	one, two, small := b.Share(0), b.Share(0), b.Share(0)
	if err := one.Take(10 << 20); err != nil {
		t.Fatal(err)
	}
	wantShortage(t, two.Take(5<<20), true)
	wantShortage(t, two.Take(15<<20), false)
	if err := two.Take(4 << 20); err != nil {
		t.Fatal(err)
	}
	wantShortage(t, two.Take(1), true)
	for range 10 {
		if err := small.Take(100 << 10); err != nil {
			t.Fatal(err)
		}
	}
	wantShortage(t, small.Take(1<<20), true)
	one.Give(6 << 20)
	if err := small.Take(1 << 20); err != nil {
		t.Error(err)
	}
	for _, s := range []*Share{&one, &two, &small} {
		s.Close()
	}
	if n := b.Used(); n != 0 {
		t.Errorf("%d bytes are still taken", n)
	}
}

// TestFree takes what was set aside without drawing, and gives back only what it drew.
func TestFree(t *testing.T) {
	b := NewBudget(1 << 20)
	s := b.Share(2 << 20)
	if err := s.Take(2 << 20); err != nil || b.Used() != 0 {
		t.Fatalf("%v, %d bytes taken", err, b.Used())
	}
	if err := s.Take(piece); err != nil || b.Used() != piece {
		t.Fatalf("%v, %d bytes taken", err, b.Used())
	}
	s.Give(1 << 20)
	if b.Used() != 0 || s.Held() != 1<<20+piece {
		t.Errorf("%d bytes taken, %d held", b.Used(), s.Held())
	}
	if err := s.SetFree(0); err == nil {
		t.Error("more is held than there is")
	}
	s.Give(1 << 20)
	if err := s.SetFree(0); err != nil || b.Used() != piece {
		t.Errorf("%v, %d bytes taken", err, b.Used())
	}
	s.Close()
	var none *Share
	if err := errors.Join(none.Take(1<<60), s.Take(1<<60)); err != nil {
		t.Error(err)
	}
}

// TestTogether draws from many goroutines: never more than there is, and nothing is lost.
func TestTogether(t *testing.T) {
	b := NewBudget(8 << 20)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 1000 {
				s := b.Share(0)
				for s.Take(300<<10) == nil && s.Held() < 4<<20 {
					if b.Used() > 8<<20 {
						t.Error("more was taken than there is")
					}
				}
				s.Close()
			}
		})
	}
	wg.Wait()
	if n := b.Used(); n != 0 {
		t.Errorf("%d bytes are still taken", n)
	}
}
