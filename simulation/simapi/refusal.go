package simapi

import (
	"context"
	"errors"
	"fmt"

	"edict/platform/fault"
	"edict/simulation/decomposition"
	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/scenario"
)

// refusal is an error whose answer is known: a status, and what is wrong as text or as a tree that mirrors the request.
type refusal struct {
	status  int
	message string // "" for the usual one of the status
	tree    any    // nil if there is none
	params  any    // echo of the request, where the service has one
	context any
	cause   error
}

// Error returns what is wrong.
func (e *refusal) Error() string {
	if e.cause != nil {
		return e.cause.Error()
	}
	return fmt.Sprintf("%s %s", e.message, appendValue(nil, e.tree))
}

// Unwrap returns a fault of the kind that the status stands for.
func (e *refusal) Unwrap() error {
	kind, ok := kinds[e.status]
	if !ok {
		kind = fault.Invalid
	}
	return fault.New(kind, "%s", e.message)
}

var kinds = map[int]fault.Kind{
	404: fault.NotFound, 413: fault.TooLarge, 422: fault.Unprocessable, 501: fault.NotImplemented, 503: fault.Unavailable,
}

// refuse is a 400 with a tree.
func refuse(tree any) *refusal { return &refusal{status: 400, tree: tree} }

// ending returns the error of a simulation whose context has ended, nil while it has not: err itself if that is why it failed,
// since it names the formula that was running.
func ending(ctx context.Context, err error) error {
	if ctx.Err() != nil && !errors.Is(err, ctx.Err()) {
		return ctx.Err()
	}
	if ctx.Err() != nil {
		return err
	}
	return nil
}

// failure says what a failed simulation is to the caller: status and message. Errors of the request's context and of
// the server stay what they are (status 0).
func failure(err error) (status int, message string) {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return 0, ""
	}
	if f := (*fault.Error)(nil); errors.As(err, &f) {
		return 0, ""
	}
	if wrong, ok := errors.AsType[*engine.WrongPeriod](err); ok {
		return 400, wrongPeriod(wrong)
	}
	if missing, ok := errors.AsType[*legislation.ParameterNotFound](err); ok {
		by := ""
		if formula, ok := errors.AsType[*engine.FormulaError](err); ok {
			by = fmt.Sprintf(" by variable %q", formula.Variable)
		}
		return 422, fmt.Sprintf("Legislation parameter %q was not found at instant %q%s: the law of that day has none, ask for another period", missing.Name, missing.Day, by)
	}
	var unprepared *legislation.Unprepared
	var cycle *engine.CycleError
	var limit *engine.LimitError
	var finite *scenario.NonFiniteError
	var formula *engine.FormulaError
	var mismatch *engine.PeriodMismatch
	var legal *legislation.Error
	var leaf *decomposition.LeafError
	switch {
	case errors.As(err, &unprepared), errors.As(err, &finite), errors.As(err, &cycle), errors.As(err, &limit):
		return 422, err.Error()
	case errors.As(err, &formula):
		return 422, err.Error()
	case errors.As(err, &mismatch), errors.As(err, &legal):
		return 400, err.Error()
	case errors.As(err, &leaf):
		return 422, err.Error()
	}
	return 400, err.Error()
}

// wrongPeriod says what to ask for instead; the text of the engine is for authors of formulas.
func wrongPeriod(e *engine.WrongPeriod) string {
	text := fmt.Sprintf("%s cannot be computed for %s: it is defined for one %s at a time. Ask for a %s", e.Variable, e.Period, e.Unit, e.Unit)
	if first := firstOf(e); first != "" {
		text += ", such as " + first
	}
	return text
}

// ownPeriod says how /api/1 is asked for a variable on another period than that of the scenarios.
func ownPeriod(e *engine.WrongPeriod) string {
	first := firstOf(e)
	if first == "" {
		return ""
	}
	return fmt.Sprintf(", as {\"name\": %q, \"period\": %q} among the variables", e.Variable, first)
}

// firstOf is the first period of the right length in the one that was asked for, "" if there is none.
func firstOf(e *engine.WrongPeriod) string {
	first, err := e.Period.First(e.Unit)
	if err != nil || e.Period.IsEternal() {
		return ""
	}
	return first.String()
}
