//go:build unix

package main

import (
	"context"
	"fmt"
	"io"
	"runtime"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// scale prints what a computation costs with more persons, and with more variables that nothing asks for.
func scale(w io.Writer, system *legislation.System, a ask) error {
	fmt.Fprintf(w, "\n%9s %12s %12s\n", "persons", "afresh ms", "again ms")
	for _, n := range []int{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000} {
		afresh, err := mean(system, a, n, engine.Options{Forgetful: true})
		if err != nil {
			return err
		}
		again, err := mean(system, a, n, engine.Options{})
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%9d %12.1f %12.1f\n", n, 1e3*afresh, 1e3*again)
	}
	fmt.Fprintf(w, "\n%9s %12s %12s\n", "variables", "afresh ms", "again ms")
	for _, more := range []int{0, 1_000, 10_000, 100_000} {
		larger, err := withUnused(system, more)
		if err != nil {
			return err
		}
		afresh, err := mean(larger, a, 1, engine.Options{Forgetful: true})
		if err != nil {
			return err
		}
		again, err := mean(larger, a, 1, engine.Options{})
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%9d %12.1f %12.1f\n", len(larger.Variables()), 1e3*afresh, 1e3*again)
	}
	return nil
}

// withUnused adds variables that no formula asks for.
func withUnused(system *legislation.System, more int) (*legislation.System, error) {
	b := system.Reform("larger")
	month := period.Month
	for i := range more {
		d := legislation.Definition{Name: fmt.Sprintf("unused_%d", i), Type: legislation.Float, Entity: system.Person(), Period: &month}
		if _, err := b.AddVariable(d); err != nil {
			return nil, err
		}
	}
	return b.Build(), nil
}

// mean is the CPU time of a computation of n persons, who all have the inputs of the others in turn: of as many that
// the collector's share is in it.
func mean(system *legislation.System, a ask, n int, o engine.Options) (float64, error) {
	if _, err := many(system, a, n, o); err != nil { // teaches
		return 0, err
	}
	runtime.GC()
	total, runs := 0.0, 0
	for ; runs < 4 || total < 1.5 && runs < 50; runs++ {
		used, err := many(system, a, n, o)
		if err != nil {
			return 0, err
		}
		total += used
	}
	return total / float64(runs), nil
}

func many(system *legislation.System, a ask, n int, o engine.Options) (float64, error) {
	begin := cpuTime()
	s, err := engine.New(context.Background(), system, engine.Spec{Persons: n}, o)
	if err != nil {
		return 0, err
	}
	for k, in := range a.Inputs {
		v, at, err := place(s, system, in.Variable, in.Period)
		if err != nil {
			return 0, err
		}
		value, err := columnOf(a, k, n)
		if err != nil {
			return 0, err
		}
		if err := s.SetInput(v.ID, at, value); err != nil {
			return 0, err
		}
	}
	v, at, err := place(s, system, a.Variable, a.Period)
	if err != nil {
		return 0, err
	}
	_, err = s.Calculate(v.ID, at, legislation.Plain)
	return cpuTime() - begin, err
}

// columnOf gives n persons their values of the k-th input.
func columnOf(a ask, k, n int) (vector.Column, error) {
	days, numbers := make([]int64, n), make([]float32, n)
	isDay := false
	for i := range n {
		c, err := column(a.Others[i%len(a.Others)][k])
		if err != nil {
			return c, err
		}
		if isDay = c.Type() == vector.Date; isDay {
			days[i] = c.Int(0)
		} else {
			numbers[i] = float32(c.Float(0))
		}
	}
	if isDay {
		return vector.Dates(vector.Day, days), nil
	}
	return vector.Of(numbers), nil
}
