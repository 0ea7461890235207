package heap

import (
	"fmt"
	"sync/atomic"
)

// Budget is memory that many share: bytes are taken before they are used and given back when they are needed no more.
// Nobody waits for bytes, so that nobody can wait for somebody who waits: what is not there is refused.
//
// An eighth is kept for shares that are small: whoever holds much cannot keep others from a little.
type Budget struct {
	total int64
	used  atomic.Int64
}

// SmallShare is how much a share may hold and still count as small.
const SmallShare = 1 << 20

// NewBudget makes a budget of so many bytes.
func NewBudget(total int64) *Budget { return &Budget{total: total} }

// Used is how much is taken now.
func (b *Budget) Used() int64 { return b.used.Load() }

// Most is how much one share may hold.
func (b *Budget) Most() int64 { return b.total - b.total/8 }

// draw takes n bytes unless more than most would be taken then.
func (b *Budget) draw(n, most int64) bool {
	for {
		used := b.used.Load()
		if used+n > most {
			return false
		}
		if b.used.CompareAndSwap(used, used+n) {
			return true
		}
	}
}

// Share is what one user holds of a budget. It belongs to one goroutine. One of no budget, nil or zero, has no bound.
type Share struct {
	budget *Budget
	free   int64 // bytes that are not drawn: they were set aside for this share
	held   int64
	drawn  int64
}

// Share begins to use the budget; the first free bytes are not drawn from it.
func (b *Budget) Share(free int64) Share { return Share{budget: b, free: free} }

// piece is how many bytes are drawn at least: most shares draw once or not at all.
const piece = 64 << 10

// Take holds n bytes more, or says in a *[Shortage] that they are not there.
func (s *Share) Take(n int64) error {
	if s == nil || s.budget == nil {
		return nil
	}
	more := s.held + n - s.free - s.drawn
	if more > 0 {
		more = (more + piece - 1) / piece * piece
		most := s.budget.Most()
		if s.drawn+more > most {
			return &Shortage{Needs: s.held + n, Most: most}
		}
		// The last eighth is for shares that are still small with this.
		if s.drawn+more <= SmallShare {
			most = s.budget.total
		}
		if !s.budget.draw(more, most) {
			return &Shortage{Needs: s.held + n, Most: most, Others: true}
		}
		s.drawn += more
	}
	s.held += n
	return nil
}

// Give holds n bytes less.
func (s *Share) Give(n int64) {
	if s == nil || s.budget == nil {
		return
	}
	s.held -= n
	if spare := (s.drawn - max(s.held-s.free, 0)) / piece * piece; spare > 0 {
		s.budget.used.Add(-spare)
		s.drawn -= spare
	}
}

// SetFree changes how many bytes need not be drawn; what is held beyond them is drawn now.
func (s *Share) SetFree(free int64) error {
	if s == nil || s.budget == nil {
		return nil
	}
	s.free = free
	s.Give(0)
	return s.Take(0)
}

// Held is how many bytes are held.
func (s *Share) Held() int64 {
	if s == nil {
		return 0
	}
	return s.held
}

// Close gives everything back. A share that is closed is of no budget.
func (s *Share) Close() {
	if s == nil || s.budget == nil {
		return
	}
	s.budget.used.Add(-s.drawn)
	*s = Share{}
}

// Shortage says that a share could not get the bytes it needs.
type Shortage struct {
	Needs  int64 // what the share would have held
	Most   int64 // what one share may hold
	Others bool  // because of what others hold: it is worth trying again
}

func (e *Shortage) Error() string {
	if e.Others {
		return "requests in progress use all memory"
	}
	return fmt.Sprintf("more than the %d MiB of memory that one request may use are needed", e.Most>>20)
}
