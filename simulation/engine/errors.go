package engine

import (
	"errors"
	"fmt"
	"strings"

	"edict/simulation/legislation"
	"edict/simulation/period"
)

// CycleError says that a variable needs itself, on the same period, to be computed.
type CycleError struct {
	Variable string
	Period   period.Period
	Path     []string // what asked for what, from the variable back to itself
}

func (e *CycleError) Error() string {
	return fmt.Sprintf("%s on %s is defined by itself: %s", e.Variable, e.Period, strings.Join(e.Path, " needs "))
}

// FormulaError says in which formula something failed. It is wrapped around an error once, where it occurred.
type FormulaError struct {
	Variable string
	Period   period.Period
	Err      error
}

func (e *FormulaError) Error() string {
	return fmt.Sprintf("%s on %s: %v", e.Variable, e.Period, e.Err)
}

func (e *FormulaError) Unwrap() error { return e.Err }

// Where returns the formula and, if its error has a place in a file, that place: "tax on 2022, rules.py:12".
func (e *FormulaError) Where() string {
	at := fmt.Sprintf("%s on %s", e.Variable, e.Period)
	if placed, ok := errors.AsType[interface {
		error
		Where() string
	}](e.Err); ok {
		at += ", " + placed.Where()
	}
	return at
}

// PeriodMismatch says that a value was given for a period that the variable is not defined for.
type PeriodMismatch struct {
	Variable string
	Period   period.Period
	Unit     period.Unit // what the variable is defined for
}

func (e *PeriodMismatch) Error() string {
	if e.Period.Unit == period.Eternity {
		return fmt.Sprintf("%s cannot be set for eternity: it is defined by the %s. Give a value for each %s", e.Variable, e.Unit, e.Unit)
	}
	return fmt.Sprintf("%s cannot be set for %s: it can only be set for one %s at a time. Give a value for each %s, or give the variable a set_input attribute that divides or dispatches longer periods",
		e.Variable, e.Period, e.Unit, e.Unit)
}

// WrongPeriod says that a variable was asked for a period that it is not defined for. Its text is for authors of formulas,
// which see it as a ValueError.
type WrongPeriod struct {
	Variable string
	Period   period.Period
	Unit     period.Unit // what the variable is defined for
}

func (e *WrongPeriod) Error() string {
	if e.Period.Unit == e.Unit || e.Unit == period.Day || e.Unit == period.Weekday {
		return fmt.Sprintf("%s cannot be computed for %s: it is defined for one %s at a time. Use the ADD option to sum over the period", e.Variable, e.Period, e.Unit)
	}
	advice := "Use the ADD option to sum over the period, or ask for period.first_week"
	switch e.Unit {
	case period.Year:
		advice = "Use the DIVIDE option to get a share of the year, or ask for period.this_year"
	case period.Month:
		advice = "Use the ADD option to sum over the period, or ask for period.first_month"
	}
	return fmt.Sprintf("%s cannot be computed for %s: it is defined by the %s. %s", e.Variable, e.Period, e.Unit, advice)
}

// Unwrap returns the exception that formulas see.
func (e *WrongPeriod) Unwrap() error { return valueError("%s", e.Error()) }

// LimitError says that a simulation wanted more than it may have.
type LimitError struct{ Msg string }

func (e *LimitError) Error() string { return e.Msg }

func valueError(format string, args ...any) error {
	return &legislation.Error{Class: "ValueError", Msg: fmt.Sprintf(format, args...)}
}

func typeError(format string, args ...any) error {
	return &legislation.Error{Class: "TypeError", Msg: fmt.Sprintf(format, args...)}
}

// located adds the formula in which an error occurred, unless it has one already.
func located(err error, v *legislation.Variable, at *period.Entry) error {
	if _, ok := errors.AsType[*FormulaError](err); ok {
		return err
	}
	return &FormulaError{v.Name, at.Period, err}
}
