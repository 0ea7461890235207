package simapi

// A request with a body is a visit. Reading the body is the client's pace and takes no slot; everything that is made of it,
// decoding included, is made in one. The slot is given back as soon as the text of the answer is there, so that a client
// that does not read holds up nobody. What a visit holds is weighed all the time: body, what is made of it, answer.

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"edict/platform/fault"
	"edict/platform/heap"
	"edict/platform/jsonio"
	"edict/platform/web"
	"edict/simulation/engine"
	"edict/simulation/legislation"
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

	// What is borrowed until the text of the answer is there. Nothing that is left of a visit, an error included, leads to it.
	work  *scenario.Workspace
	doc   legislation.Data // the body, made in work
	ended []ended
	first [1]ended // most visits have one
}

// ended is a simulation whose answers have been used, once the text of the answer is there.
type ended struct {
	law *law
	sim *engine.Simulation
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
	v := &visit{api: a, ctx: r.Context(), memory: a.budget.memory.Share(sentFree), work: scenario.Borrow()}
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
func (v *visit) decode() (err error) {
	v.doc, err = v.work.ReadJSON(v.body, v.bounds())
	return err
}

// bounds are those of everything that is made of the body.
func (v *visit) bounds() scenario.Bounds {
	return scenario.Bounds{Context: v.ctx, Values: v.api.o.Values, Memory: &v.memory}
}

// answer makes the text of the answer. Whatever the value consists of, the body included, is needed no more then.
func (v *visit) answer(value any) error {
	v.text = encoder{jsonio.Writer{Most: v.api.o.Answer, Memory: &v.memory}}
	v.text.Begin()
	v.text.value(value)
	v.text.Text = append(v.text.Text, '\n')
	if long, ok := errors.AsType[*jsonio.TooLong](v.text.Err()); ok {
		return &refusal{status: http.StatusUnprocessableEntity, message: fmt.Sprintf("The answer is larger than %d MiB, the most that is sent (--simulation-answer): ask for fewer points, variables or periods at a time", long.Most>>20)}
	} else if v.text.Err() != nil {
		return overloaded(v.text.Err())
	}
	v.giveBack()
	v.body = nil
	// Only the text is left to be weighed.
	v.memory.Give(v.memory.Held() - v.text.Held())
	return overloaded(v.memory.SetFree(sentFree))
}

// borrowed notes a simulation that is given back with the visit.
func (v *visit) borrowed(l *law, sim *engine.Simulation) {
	if v.ended == nil {
		v.ended = v.first[:0]
	}
	v.ended = append(v.ended, ended{l, sim})
}

// giveBack gives back everything that was borrowed but for the text of the answer. It is the one place that does.
func (v *visit) giveBack() {
	for _, e := range v.ended {
		e.law.finish(e.sim)
	}
	v.ended, v.first = nil, [1]ended{}
	if v.work != nil {
		v.work.GiveBack()
		v.work, v.doc = nil, legislation.Data{}
	}
}

// send gives the slot back and answers 200 with the text. A caller that went away is no error: there is nobody to tell.
func (v *visit) send(w http.ResponseWriter) error {
	v.giveSlot()
	if v.text.Held() == 0 {
		return web.WriteRaw(w, http.StatusOK, v.text.Text)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Content-Length", strconv.FormatInt(v.text.Len(), 10))
	w.WriteHeader(http.StatusOK)
	_, _ = v.text.WriteTo(w)
	return nil
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
	v.giveBack()
	v.text.GiveBack()
	v.memory.Close()
}

// unread is the refusal of a body that could not be read for its size, and nil for one that is not JSON.
func (v *visit) unread(err error) error {
	if many, ok := errors.AsType[*jsonio.TooManyValues](err); ok {
		return &refusal{status: http.StatusRequestEntityTooLarge, message: many.Error() + ", the most of one request (--simulation-values): send fewer at a time"}
	}
	if _, ok := errors.AsType[*heap.Shortage](err); ok || v.ctx.Err() != nil && errors.Is(err, v.ctx.Err()) {
		return overloaded(err)
	}
	return nil
}

// shown reports whether refusals repeat the body: one that is long is of no use to the caller that sent it.
func (v *visit) shown() bool { return len(v.body) <= sentFree }

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
