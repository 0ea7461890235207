package simapi

// A request with a body is a visit. Reading the body is the client's pace and takes no slot; everything that is made of it,
// decoding included, is made in one. The slot is given back as soon as the text of the answer is there, so that a client
// that does not read holds up nobody. What a visit holds is weighed all the time: body, what is made of it, answer.

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"edict/platform/fault"
	"edict/platform/heap"
	"edict/platform/web"
	"edict/simulation/scenario"
)

// visit is the stay of one request.
type visit struct {
	api    *API
	ctx    context.Context
	body   []byte
	memory heap.Share
	leave  func()  // gives the slot back; nil without one
	large  bool    // the slot is one of those for large requests
	text   encoder // of the answer
}

const (
	// sentFree is what a visit may hold without weighing, of body or answer: most have less.
	sentFree = 64 << 10
	// slotFree is set aside for each slot, for what is made there: most make less.
	slotFree = 8 << 20
	// largeBody makes a request a large one.
	largeBody = 256 << 10
)

// visit reads the body of a request and waits for a slot. It must be ended.
func (a *API) visit(r *http.Request) (*visit, error) {
	v := &visit{api: a, ctx: r.Context(), memory: a.budget.memory.Share(sentFree)}
	var err error
	if v.body, err = web.ReadBodyWeighed(r, v.memory.Take); err == nil {
		err = v.enter(len(v.body) > largeBody)
	}
	if err != nil {
		v.end()
		return nil, overloaded(err)
	}
	return v, nil
}

// enter waits for a slot.
func (v *visit) enter(large bool) (err error) {
	if v.leave, err = v.api.budget.enter(v.ctx, large); err != nil {
		return err
	}
	v.large = large
	return v.memory.SetFree(slotFree)
}

// weigh moves the visit into the queue of large requests if it turns out to be one. Effort is about how many values are
// computed.
func (v *visit) weigh(effort int64) error {
	if v.large || effort <= largeEffort {
		return nil
	}
	// Without a slot there is no memory of the slot: what is held beyond the rest has to be drawn from the budget.
	if err := v.memory.SetFree(sentFree); err != nil {
		return err
	}
	v.giveSlot()
	return v.enter(true)
}

const (
	// largeEffort makes a request a large one.
	largeEffort = 20_000
	// runEffort is what one variable on one period costs besides its values.
	runEffort = 50
	// traceEffort is about how many steps a trace tells for one that is asked for.
	traceEffort = 50
)

// decode reads the body as JSON.
func (v *visit) decode() (*scenario.Document, error) {
	return scenario.ReadJSON(v.body, v.bounds())
}

// bounds are those of everything that is made of the body.
func (v *visit) bounds() scenario.Bounds {
	return scenario.Bounds{Context: v.ctx, Values: v.api.o.Values, Memory: &v.memory}
}

// answer makes the text of the answer. Whatever the value consists of, the body included, is needed no more then.
func (v *visit) answer(value any) error {
	v.text = encoder{most: v.api.o.Answer, memory: &v.memory}
	v.text.begin(0)
	v.text.value(value)
	v.text.buf = append(v.text.buf, '\n')
	if v.text.err != nil {
		return v.text.err
	}
	v.body = nil
	// Only the text is left to be weighed: document and columns may be collected from here on.
	v.memory.Give(v.memory.Held() - v.text.held)
	return overloaded(v.memory.SetFree(sentFree))
}

// send gives the slot back and sends the answer. A caller that went away is no error.
func (v *visit) send(w http.ResponseWriter) error {
	v.giveSlot()
	return v.text.send(w)
}

func (v *visit) giveSlot() {
	if v.leave != nil {
		v.leave()
		v.leave = nil
	}
}

// end gives back what the visit still has.
func (v *visit) end() {
	v.giveSlot()
	v.text.drop()
	v.memory.Close()
}

// unread is the refusal of a body that could not be read for its size, and nil for one that is not JSON.
func (v *visit) unread(err error) error {
	if many, ok := errors.AsType[*scenario.TooManyValues](err); ok {
		return &refusal{status: http.StatusRequestEntityTooLarge, message: many.Error() + ", the most of one request (--simulation-values): send fewer at a time"}
	}
	if _, ok := errors.AsType[*heap.Shortage](err); ok || v.ctx.Err() != nil && errors.Is(err, v.ctx.Err()) {
		return overloaded(err)
	}
	return nil
}

// echo is the body as a refusal shows it, nil if it is too long to be shown to somebody who has it.
func (v *visit) echo(value any) any {
	if len(v.body) > sentFree {
		return nil
	}
	return value
}

// empty reports whether the body is.
func (v *visit) empty() bool {
	return len(v.body) <= sentFree && strings.TrimSpace(string(v.body)) == ""
}

// overloaded is an error as the caller is told it: a lack of memory in its own words.
func overloaded(err error) error {
	if short := shortage(err); short != nil {
		return short
	}
	return err
}

// shortage is what a lack of memory is to the caller: to be tried again if others use it, else more than can be had. It is
// nil for every other error.
func shortage(err error) error {
	short, ok := errors.AsType[*heap.Shortage](err)
	if !ok {
		return nil
	}
	if short.Others {
		f := fault.New(fault.Unavailable, "Server is overloaded: %v; try again in a moment", short)
		f.RetryAfter, f.Cause = 1, err
		return f
	}
	return &refusal{status: http.StatusUnprocessableEntity, message: "The request is too large: " + short.Error() + " (--limits-memory). Ask for fewer points, persons, variables or periods at a time", cause: err}
}
