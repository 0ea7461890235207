package web

import (
	"errors"
	"net/http"

	"edict/platform/fault"
	"edict/platform/heap"
)

// Hold takes memory from the budget of the service that a request is for, until the request is answered: what a handler reads
// for it beyond the 64 KiB that each has for nothing. Without a budget there is always some. An error is one for the caller
// of the service: to come back in a moment when others use the memory, else to ask for less.
func Hold(r *http.Request, bytes int64) error {
	if x := exchangeOf(r.Context()); x != nil {
		return x.hold(bytes)
	}
	return nil
}

// Release gives back a part of what a request holds before it is answered.
func Release(r *http.Request, bytes int64) {
	if x := exchangeOf(r.Context()); x != nil {
		x.memory.Give(bytes)
	}
}

func (x *exchange) hold(bytes int64) error {
	if x.service == nil || x.service.Memory == nil {
		return nil
	}
	if x.memory.Held() == 0 {
		x.memory.Close()
		x.memory = x.service.Memory.Share(firstRead)
	}
	err := x.memory.Take(bytes)
	short, ok := errors.AsType[*heap.Shortage](err)
	switch {
	case !ok:
		return err
	case !short.Others:
		return fault.Wrap(err, fault.TooLarge, "%v (--limits-memory): send or ask for less at a time", err)
	}
	f := fault.New(fault.Unavailable, "the server is overloaded: %v; try again in a moment", err)
	f.RetryAfter, f.Cause = 1, err
	return f
}
