package legislation

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"edict/simulation/period"
)

// ErrNoValue is what a formula returns that has no value to give for the period (Python's None): the variable takes its
// default.
var ErrNoValue = errors.New("the formula gives no value")

// VariableNotFound says that a system has no variable of that name.
type VariableNotFound struct {
	Name   string
	system *System
}

// Nearest is the known name closest to it, or empty. It is searched for when it is asked for: rules may try names.
func (e *VariableNotFound) Nearest() string {
	if e.system == nil {
		return ""
	}
	return Nearest(e.Name, e.system.VariableNames())
}

func (e *VariableNotFound) Error() string {
	return fmt.Sprintf("there is no variable '%s' in this legislation%s", e.Name, didYouMean(e.Nearest()))
}

// ParameterNotFound says that a parameter does not exist, or has no value on that day. Python code sees it as an
// AttributeError.
type ParameterNotFound struct {
	Name string // the full name
	Day  period.Instant

	child  string
	parent *NodeAt
	once   sync.Once
	text   string
}

// Nearest is the name of the child of the same node that is closest to the one that was asked for, or empty.
func (e *ParameterNotFound) Nearest() string {
	if e.parent == nil {
		return ""
	}
	return Nearest(e.child, slices.Values(e.parent.Children().Keys()))
}

func (e *ParameterNotFound) Error() string {
	e.once.Do(func() {
		e.text = fmt.Sprintf("there is no parameter '%s' in the law of %s%s", e.Name, e.Day, didYouMean(e.Nearest()))
	})
	return e.text
}

// Unprepared rejects a simulation whose inputs were not prepared as the package's own code prepares them: its numbers could be wrong.
type Unprepared struct {
	Package string
	Remedy  string // names what works instead
}

func (e *Unprepared) Error() string {
	return fmt.Sprintf("%s cannot be computed here: its own code prepares inputs before formulas run, and without that numbers can be wrong. %s", e.Package, e.Remedy)
}

// Error is a refusal that Python code would see as an exception of the given class: "ValueError", "TypeError"…
type Error struct {
	Class string
	Msg   string
}

func (e *Error) Error() string { return e.Msg }

func valueError(format string, args ...any) error {
	return &Error{"ValueError", fmt.Sprintf(format, args...)}
}

func typeError(format string, args ...any) error {
	return &Error{"TypeError", fmt.Sprintf(format, args...)}
}

// Problem is one thing that is wrong with a source file.
type Problem struct {
	File string
	Line int // 1 is the first line, 0 means the whole file
	Msg  string
}

func (p Problem) Error() string {
	if p.Line == 0 {
		return p.File + ": " + p.Msg
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Msg)
}

// Problems is everything that is wrong, as an error.
type Problems []Problem

func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

func didYouMean(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean '%s'?", name)
}
