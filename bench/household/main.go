//go:build unix

// Command household loads a country package and computes one variable for one person, here and, if a Python with
// OpenFisca-Core is given, there, in the same run, and prints CPU time and ratios:
//
//   - load: of loading the package;
//
//   - first: of the first computation;
//
//   - again: of the same one after it, best of all;
//
//   - served: of others after it, each with other amounts and days, as the server computes those that are asked the same
//     (engine.Options.Scripted), median;
//
//   - another: of those others with what formulas gave for earlier ones, median;
//
//   - afresh: of those others with every formula run, whatever was learned from earlier ones, median.
//
//     go -C bench run ./household -country ../../openfisca-france -variable revenu_disponible -period 2022 \
//     -input salaire_de_base:2022=30000 -input date_naissance:ETERNITY=1985-03-02 -python python3
//
// All results must be equal. Processor time counts all threads, the garbage collector's included. With -scaling it also
// prints what a computation costs with more persons, and with more variables that are loaded and not used.
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
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
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
	Dir      string    `json:"dir"`
	Package  string    `json:"package"`
	Variable string    `json:"variable"`
	Period   string    `json:"period"`
	Inputs   []input   `json:"inputs"`
	Others   [][]input `json:"others"` // inputs of the other households
	Rounds   int       `json:"rounds"`

	cache   string // directory of a cache
	profile string // where to write a profile of the computations after the first
}

type input struct {
	Variable string `json:"variable"`
	Period   string `json:"period"`
	Value    string `json:"value"`
}

// figures are CPU seconds, and the values that were computed.
type figures struct {
	Load    float64   `json:"load"`
	Wall    float64   `json:"wall"` // seconds of wall time, of loading
	First   float64   `json:"first"`
	Again   float64   `json:"again"`
	Another float64   `json:"another"`
	Value   float64   `json:"value"`
	Values  []float64 `json:"values"` // of the others

	afresh float64
	served float64
	runs   int64
	allocs uint64
	bytes  uint64
}

func main() {
	a := ask{}
	python, scaling := "", false
	flag.StringVar(&a.Dir, "country", "", "directory of the country package")
	flag.StringVar(&a.Variable, "variable", "disposable_income", "variable to compute")
	flag.StringVar(&a.Period, "period", "2022-01", "period to compute it for")
	flag.IntVar(&a.Rounds, "rounds", 40, "computations of each kind after the first; the reference makes an eighth")
	flag.StringVar(&a.profile, "profile", "", "file to write a processor profile of the computations of other households to")
	flag.StringVar(&a.cache, "cache", "", "directory of a cache of packages, to load from; the first run fills it")
	flag.StringVar(&python, "python", os.Getenv("EDICT_PYTHON"), "a Python with OpenFisca-Core and the packages that the country package needs")
	flag.BoolVar(&scaling, "scaling", false, "measure how the cost grows with persons and with unused variables")
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
	if err := run(os.Stdout, a, python, scaling); err != nil {
		fmt.Fprintln(os.Stderr, "household:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, a ask, python string, scaling bool) error {
	a.Rounds = max(a.Rounds, 8)
	for i := range a.Rounds {
		a.Others = append(a.Others, other(a.Inputs, i+1))
	}
	system, ours, err := measure(&a)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s %s of one person, %s: %d formulas; again: %d allocations, %d kB\n",
		a.Variable, a.Period, a.Package, ours.runs, ours.allocs, ours.bytes/1024)
	if python == "" {
		fmt.Fprintf(w, "processor ms: load %.1f (on the clock %.1f), first %.1f, again %.2f, served %.2f, another %.2f, afresh %.2f; value %v\n",
			1e3*ours.Load, 1e3*ours.Wall, 1e3*ours.First, 1e3*ours.Again, 1e3*ours.served, 1e3*ours.Another, 1e3*ours.afresh, ours.Value)
	} else if err := beside(w, a, ours, python); err != nil {
		return err
	}
	if scaling {
		return scale(w, system, a)
	}
	return nil
}

// beside prints our figures and those of the reference.
func beside(w io.Writer, a ask, ours figures, python string) error {
	theirs, err := reference(a, python)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%8s %12s %12s %8s\n", "", "edict ms", "reference ms", "ratio")
	for _, row := range []struct {
		name         string
		ours, theirs float64
	}{
		{"load", ours.Load, theirs.Load}, {"  clock", ours.Wall, theirs.Wall}, {"first", ours.First, theirs.First}, {"again", ours.Again, theirs.Again},
		{"served", ours.served, theirs.Another}, {"another", ours.Another, theirs.Another}, {"afresh", ours.afresh, theirs.Another},
	} {
		fmt.Fprintf(w, "%8s %12.1f %12.1f %7.1fx\n", row.name, 1e3*row.ours, 1e3*row.theirs, row.theirs/row.ours)
	}
	fmt.Fprintf(w, "%8s %12v %12v\n", "value", ours.Value, theirs.Value)
	if ours.Value != theirs.Value || !slices.Equal(ours.Values[:len(theirs.Values)], theirs.Values) {
		return fmt.Errorf("values differ: %v here, %v there", ours.Values[:len(theirs.Values)], theirs.Values)
	}
	return nil
}

// other returns the inputs of another household: amounts that are larger by a fiftieth each time, days that are 41 earlier.
func other(inputs []input, i int) []input {
	out := slices.Clone(inputs)
	for k, in := range out {
		if day, err := period.ParseInstant(in.Value); err == nil && strings.Contains(in.Value, "-") {
			if earlier, err := day.Offset(-41*i, period.Day); err == nil {
				out[k].Value = earlier.String()
			}
			continue
		}
		var number float64
		if _, err := fmt.Sscan(in.Value, &number); err == nil {
			out[k].Value = fmt.Sprint(float32(number * (1 + float64(i)/50)))
		}
	}
	return out
}

// measure loads the package and computes here, with the headroom that a server has by default.
func measure(a *ask) (*legislation.System, figures, error) {
	var f figures
	ballast := make([]byte, 64<<20)
	defer runtime.KeepAlive(ballast)
	begin, clock := cpuTime(), time.Now()
	source, err := country.Open(a.Dir)
	if err != nil {
		return nil, f, err
	}
	var o country.Options
	if a.cache != "" {
		if o.Cache, err = country.OpenCache(a.cache); err != nil {
			return nil, f, err
		}
	}
	restore := heap.DelayCollection(512 << 20) // as cli does
	p, err := country.Load(context.Background(), o, source)
	restore()
	if err != nil {
		return nil, f, err
	}
	f.Load, f.Wall = cpuTime()-begin, time.Since(clock).Seconds()
	a.Package = p.Source.Name
	first, err := compute(p.System, *a, a.Inputs, engine.Options{})
	if err != nil {
		return nil, f, err
	}
	f.First, f.Value, f.runs = first.time, first.value, first.runs
	f.Again = math.Inf(1)
	for range a.Rounds {
		again, err := compute(p.System, *a, a.Inputs, engine.Options{})
		if err != nil {
			return nil, f, err
		}
		f.Again = min(f.Again, again.time)
		f.allocs, f.bytes = again.allocs, again.bytes
	}
	if a.profile != "" {
		stop, err := profileTo(a.profile)
		if err != nil {
			return nil, f, err
		}
		defer stop()
	}
	return p.System, f, others(p.System, *a, &f)
}

// others computes the other households, with what was learned and without. The first half only warms up.
func others(system *legislation.System, a ask, f *figures) error {
	var another, afresh, served []float64
	for i, inputs := range a.Others {
		x, err := compute(system, a, inputs, engine.Options{})
		if err != nil {
			return err
		}
		y, err := compute(system, a, inputs, engine.Options{Forgetful: true})
		if err != nil {
			return err
		}
		z, err := compute(system, a, inputs, engine.Options{Scripted: true})
		if err != nil {
			return err
		}
		if x.value != y.value || z.value != y.value {
			return fmt.Errorf("household %d has %v, %v by a script, and %v if every formula is run", i, x.value, z.value, y.value)
		}
		f.Values = append(f.Values, x.value)
		if i >= len(a.Others)/2 {
			another, afresh, served = append(another, x.time), append(afresh, y.time), append(served, z.time)
		}
	}
	f.Another, f.afresh, f.served = median(another), median(afresh), median(served)
	return nil
}

func median(times []float64) float64 {
	slices.Sort(times)
	return times[len(times)/2]
}

func profileTo(name string) (stop func(), err error) {
	file, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return nil, err
	}
	return func() {
		pprof.StopCPUProfile()
		_ = file.Close()
	}, nil
}

// computation is what one computation gave and cost.
type computation struct {
	value  float64
	runs   int64
	time   float64
	allocs uint64
	bytes  uint64
}

func compute(system *legislation.System, a ask, inputs []input, o engine.Options) (computation, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin := cpuTime()
	s, err := engine.New(context.Background(), system, engine.Spec{Persons: 1}, o)
	if err != nil {
		return computation{}, err
	}
	for _, in := range inputs {
		v, at, err := place(s, system, in.Variable, in.Period)
		if err != nil {
			return computation{}, err
		}
		value, err := column(in)
		if err != nil {
			return computation{}, err
		}
		if err := s.SetInput(v.ID, at, value); err != nil {
			return computation{}, err
		}
	}
	v, at, err := place(s, system, a.Variable, a.Period)
	if err != nil {
		return computation{}, err
	}
	c, err := s.Calculate(v.ID, at, legislation.Plain)
	if err != nil {
		return computation{}, err
	}
	used := cpuTime() - begin
	runtime.ReadMemStats(&after)
	return computation{c.Float(0), s.FormulaRuns(), used, after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc}, nil
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
	a.Dir, a.Rounds = dir, max(2, a.Rounds/8)
	a.Others = a.Others[:a.Rounds]
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

// cpuTime returns the CPU time of this process so far, in seconds.
func cpuTime() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
