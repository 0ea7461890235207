//go:build unix

// Command household loads a country package and computes one variable for one person, here and, if a Python with
// OpenFisca-Core is given, there, in the same run, and prints processor time and ratios: of loading, of the first
// computation, and of the best one after it.
//
//	go run ./bench/household -country ../openfisca-france -variable revenu_disponible -period 2022 \
//	    -input salaire_de_base:2022=30000 -input date_naissance:ETERNITY=1985-03-02 -python python3
//
// Both results are printed and must be equal. Processor time counts all threads, the garbage collector's included.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"edict/platform/heap"
	"edict/simulation/country"
	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

//go:embed reference.py
var script string

// ask is what is computed; the reference reads it as JSON.
type ask struct {
	Dir      string  `json:"dir"`
	Package  string  `json:"package"`
	Variable string  `json:"variable"`
	Period   string  `json:"period"`
	Inputs   []input `json:"inputs"`
	Rounds   int     `json:"rounds"`
}

type input struct {
	Variable string `json:"variable"`
	Period   string `json:"period"`
	Value    string `json:"value"`
}

// figures are processor seconds, and the value that was computed.
type figures struct {
	Load  float64 `json:"load"`
	Wall  float64 `json:"wall"` // seconds on the clock, of loading
	First float64 `json:"first"`
	Warm  float64 `json:"warm"`
	Value float64 `json:"value"`

	runs   int64
	allocs uint64
	bytes  uint64
}

func main() {
	a := ask{}
	python := ""
	flag.StringVar(&a.Dir, "country", "", "directory of the country package")
	flag.StringVar(&a.Variable, "variable", "disposable_income", "variable to compute")
	flag.StringVar(&a.Period, "period", "2022-01", "period to compute it for")
	flag.IntVar(&a.Rounds, "rounds", 20, "computations after the first, of which the best counts; the reference makes a quarter")
	flag.StringVar(&python, "python", os.Getenv("EDICT_PYTHON"), "a Python with OpenFisca-Core and the packages that the country package needs")
	flag.Func("input", "variable:period=value, any number of times", func(s string) error {
		name, rest, ok := strings.Cut(s, ":")
		when, value, ok2 := strings.Cut(rest, "=")
		if !ok || !ok2 {
			return errors.New("give variable:period=value")
		}
		a.Inputs = append(a.Inputs, input{name, when, value})
		return nil
	})
	flag.Parse()
	if err := run(os.Stdout, a, python); err != nil {
		fmt.Fprintln(os.Stderr, "household:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, a ask, python string) error {
	ours, err := measure(&a)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s %s of one person, %s: %d formulas, %d allocations and %d kB when warm\n",
		a.Variable, a.Period, a.Package, ours.runs, ours.allocs, ours.bytes/1024)
	if python == "" {
		fmt.Fprintf(w, "processor ms: load %.1f (on the clock %.1f), first %.1f, warm %.2f; value %v\n", 1e3*ours.Load, 1e3*ours.Wall, 1e3*ours.First, 1e3*ours.Warm, ours.Value)
		return nil
	}
	theirs, err := reference(a, python)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%8s %12s %12s %8s\n", "", "edict ms", "reference ms", "ratio")
	for _, row := range []struct {
		name         string
		ours, theirs float64
	}{{"load", ours.Load, theirs.Load}, {"  clock", ours.Wall, theirs.Wall}, {"first", ours.First, theirs.First}, {"warm", ours.Warm, theirs.Warm}} {
		fmt.Fprintf(w, "%8s %12.1f %12.1f %7.1fx\n", row.name, 1e3*row.ours, 1e3*row.theirs, row.theirs/row.ours)
	}
	fmt.Fprintf(w, "%8s %12v %12v\n", "value", ours.Value, theirs.Value)
	if ours.Value != theirs.Value {
		return errors.New("the two values differ")
	}
	return nil
}

// measure loads the package and computes here.
func measure(a *ask) (figures, error) {
	var f figures
	begin, clock := processor(), time.Now()
	source, err := country.Open(a.Dir)
	if err != nil {
		return f, err
	}
	restore := heap.Ease(512 << 20) // as cli does
	p, err := country.Load(context.Background(), country.Options{}, source)
	restore()
	if err != nil {
		return f, err
	}
	f.Load, f.Wall = processor()-begin, time.Since(clock).Seconds()
	a.Package = p.Source.Name
	begin = processor()
	if err := compute(p.System, *a, &f); err != nil {
		return f, err
	}
	f.First = processor() - begin
	f.Warm = 1e9
	for range max(a.Rounds, 1) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		begin = processor()
		if err := compute(p.System, *a, &f); err != nil {
			return f, err
		}
		f.Warm = min(f.Warm, processor()-begin)
		runtime.ReadMemStats(&after)
		f.allocs, f.bytes = after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc
	}
	return f, nil
}

func compute(system *legislation.System, a ask, f *figures) error {
	s, err := engine.New(context.Background(), system, engine.Spec{Persons: 1}, engine.Options{})
	if err != nil {
		return err
	}
	for _, in := range a.Inputs {
		v, at, err := place(s, system, in.Variable, in.Period)
		if err != nil {
			return err
		}
		value, err := column(in)
		if err != nil {
			return err
		}
		if err := s.SetInput(v.ID, at, value); err != nil {
			return err
		}
	}
	v, at, err := place(s, system, a.Variable, a.Period)
	if err != nil {
		return err
	}
	c, err := s.Calculate(v.ID, at, legislation.Plain)
	if err != nil {
		return err
	}
	f.Value, f.runs = c.Float(0), int64(s.FormulaRuns())
	return nil
}

func place(s *engine.Simulation, system *legislation.System, name, when string) (*legislation.Variable, *period.Entry, error) {
	v, err := system.Lookup(name)
	if err != nil {
		return nil, nil, err
	}
	at, err := period.Parse(when)
	if err != nil {
		return nil, nil, err
	}
	return v, s.Periods().Intern(at), nil
}

// column reads a value: a day or a number.
func column(in input) (vector.Column, error) {
	if day, err := period.ParseInstant(in.Value); err == nil && strings.Contains(in.Value, "-") {
		return vector.Dates(vector.Day, []int64{int64(day.Days())}), nil
	}
	var number float32
	if _, err := fmt.Sscan(in.Value, &number); err != nil {
		return vector.Column{}, fmt.Errorf("value %q of %s is neither a number nor a day", in.Value, in.Variable)
	}
	return vector.Of([]float32{number}), nil
}

// reference computes the same in Python.
func reference(a ask, python string) (figures, error) {
	var f figures
	dir, err := filepath.Abs(a.Dir)
	if err != nil {
		return f, err
	}
	a.Dir, a.Rounds = dir, max(1, a.Rounds/4)
	question, err := json.Marshal(a)
	if err != nil {
		return f, err
	}
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, python, "-c", script)
	cmd.Dir, cmd.Stdin, cmd.Stderr = dir, bytes.NewReader(question), os.Stderr
	answer, err := cmd.Output()
	if err != nil {
		return f, fmt.Errorf("the reference: %w", err)
	}
	return f, json.Unmarshal(answer, &f)
}

// processor is the processor time of this process so far, in seconds.
func processor() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
