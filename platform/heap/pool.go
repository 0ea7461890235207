package heap

import "sync"

// Pool lends things that are used again. Whoever borrows one owns it until it gives it back, and everything in it. A build with
// the tag "poison" spoils what is given back and lends it to nobody, so that a use after the end shows.
type Pool[T any] struct {
	New  func() *T // makes a thing where none is idle; nil: a zero value
	idle sync.Pool
}

// Get lends a thing.
func (p *Pool[T]) Get() *T {
	if x, ok := p.idle.Get().(*T); ok {
		return x
	}
	if p.New != nil {
		return p.New()
	}
	return new(T)
}

// Put takes a thing back. It is as it should be when it is lent again.
func (p *Pool[T]) Put(x *T) {
	if Poisoned {
		spoil(x)
		return
	}
	p.idle.Put(x)
}
