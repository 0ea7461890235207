//go:build unix

// Command population computes variables for a file of persons with "edict population" and, if a Python with OpenFisca-Core and
// pandas is given, with those, in the same run, and prints time, memory and ratios of both processes: from the file that is
// read to the file that is written. Both files must say the same. edict begins without a cache: its first two jobs are told too.
//
//	go -C bench run ./population -edict ../bin/edict -country ../../country-template -persons 1000000 -python python3
//	go -C bench run ./population -edict ../bin/edict -country ../../openfisca-france -kind france -persons 20000 -python python3
//
// With -parts it computes the file in so many parts instead, and holds every byte of the merged output and report against one run:
//
//	go -C bench run ./population -edict ../bin/edict -country embedded -kind embedded -persons 5000 -parts 1,2,7,64
//
// With -compare it is computed as the law is, with a parameter changed, and both together, and what both together cost is told next to one run:
//
//	go -C bench run ./population -edict ../bin/edict -country embedded -kind embedded -persons 500000 -compare
//
// With -beside a server computes populations of the embedded legislation one after the other, and households are asked meanwhile:
//
//	go -C bench run ./population -edict ../bin/edict -country embedded -kind embedded -persons 500000 -beside
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"edict/bench/numpy"
)

//go:embed reference.py
var script string

// ask is what is computed; the reference reads it as JSON.
type ask struct {
	Dir       string   `json:"dir"`
	Package   string   `json:"package"`
	Input     string   `json:"input"`
	Output    string   `json:"output"`
	Variables []string `json:"variables"`
	Period    string   `json:"period"`

	edict, python string
	cache         string // directory
	dialect       string // of the reference's numpy
	jobs          int
}

// cost is what a process took.
type cost struct {
	wall, processor float64 // seconds
	memory          int64   // bytes
}

// phases are the parts of the reference's run.
type phases struct {
	Load, Read, Compute, Write struct{ Processor, Wall float64 }
}

func main() {
	a := ask{}
	kind, persons, parts, served, reformed := "", 0, "", false, false
	flag.StringVar(&a.edict, "edict", "bin/edict", "the program")
	flag.StringVar(&a.Dir, "country", "", "directory of the country package, or embedded; without it nothing is measured")
	flag.StringVar(&kind, "kind", "template", "what its persons look like: template, france or embedded")
	flag.IntVar(&persons, "persons", 0, "how many; 0 is 1000000 of the template and 20000 of France")
	flag.IntVar(&a.jobs, "jobs", 0, "cores that edict may use; 0 means all")
	flag.StringVar(&a.python, "python", os.Getenv("EDICT_PYTHON"), "a Python with OpenFisca-Core, pandas and what the country package needs")
	flag.StringVar(&parts, "parts", "", "numbers of parts to compute the file in, such as 1,2,7,64, in place of measuring")
	flag.BoolVar(&reformed, "compare", false, "measure what a base and a reform cost together, in place of measuring")
	flag.BoolVar(&served, "beside", false, "measure how long households wait for a server that computes the file, in place of measuring")
	flag.Parse()
	if err := run(os.Stdout, a, kind, persons, parts, served, reformed); err != nil {
		fmt.Fprintln(os.Stderr, "population:", err)
		os.Exit(1)
	}
}

// embedded stands for the legislation that edict has with it.
const embedded = "embedded"

func run(w io.Writer, a ask, kind string, persons int, parts string, served, reformed bool) error {
	if a.Dir == "" {
		fmt.Fprintln(w, "population: no country package is given (-country); nothing is measured")
		return nil
	}
	k, ok := kinds[kind]
	if !ok {
		return fmt.Errorf("-kind is template, france or embedded, not %q", kind)
	}
	if persons == 0 {
		persons = k.persons
	}
	dir, err := os.MkdirTemp("", "population")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	a.Package, a.Variables, a.Period = k.name, []string{k.variable}, k.period
	a.Input, a.Output, a.cache = filepath.Join(dir, "in.csv"), filepath.Join(dir, "out.csv"), filepath.Join(dir, "cache")
	if err := write(a.Input, persons, k.rows); err != nil {
		return err
	}
	fmt.Fprintf(w, "%s %s of %d persons, %s\n", k.variable, k.period, persons, k.name)
	switch {
	case parts != "":
		return sameInParts(w, a, parts)
	case reformed:
		return together(w, a, k.change)
	case served && a.Dir != embedded:
		return errors.New("-beside is for -country embedded")
	case served:
		return beside(w, a)
	}
	return compare(w, a)
}

func compare(w io.Writer, a ask) error {
	if err := a.askNumpy(w); err != nil {
		return err
	}
	if err := a.early(w); err != nil {
		return err
	}
	ours, err := a.median()
	if err != nil {
		return err
	}
	if a.python == "" {
		fmt.Fprintf(w, "edict: %.2f s, %.2f s of processor, %d MB\n", ours.wall, ours.processor, ours.memory>>20)
		return nil
	}
	mine := a.Output
	a.Output = filepath.Join(filepath.Dir(mine), "reference.csv")
	theirs, p, err := a.theirs()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%12s %10s %10s %8s\n", "", "edict", "reference", "ratio")
	fmt.Fprintf(w, "%12s %10.2f %10.2f %7.1fx\n", "wall s", ours.wall, theirs.wall, theirs.wall/ours.wall)
	fmt.Fprintf(w, "%12s %10.2f %10.2f %7.1fx\n", "processor s", ours.processor, theirs.processor, theirs.processor/ours.processor)
	fmt.Fprintf(w, "%12s %10d %10d %7.1fx\n", "memory MB", ours.memory>>20, theirs.memory>>20, float64(theirs.memory)/float64(ours.memory))
	fmt.Fprintf(w, "the reference's processor: load %.2f, read %.2f, compute %.2f, write %.2f\n", p.Load.Processor, p.Read.Processor, p.Compute.Processor, p.Write.Processor)
	return sameResults(w, mine, a.Output)
}

// askNumpy has edict combine types as the numpy of the reference does, if there is one.
func (a *ask) askNumpy(w io.Writer) error {
	a.dialect = "numpy1"
	if a.python == "" {
		return nil
	}
	version, err := numpy.Ask(context.Background(), a.python)
	if err != nil {
		return err
	}
	a.dialect = version.Dialect()
	fmt.Fprintf(w, "the reference has numpy %s, edict --dialect %s\n", version, a.dialect)
	return nil
}

// early tells what the first jobs of all cost, which fill the cache: with what files say, then with the image of a large package and with plans.
func (a ask) early(w io.Writer) error {
	for _, which := range []string{"first", "second"} {
		c, err := a.ours()
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "edict, the %s job: %.2f s, %.2f s of processor, %d MB\n", which, c.wall, c.processor, c.memory>>20)
	}
	return nil
}

// median is what edict takes the third of five times, by CPU time: one run is too short to tell it from what else the machine does.
func (a ask) median() (cost, error) {
	costs := make([]cost, 5)
	for i := range costs {
		var err error
		if costs[i], err = a.ours(); err != nil {
			return cost{}, err
		}
	}
	slices.SortFunc(costs, func(a, b cost) int { return cmp.Compare(a.processor, b.processor) })
	return costs[len(costs)/2], nil
}

func (a ask) ours(more ...string) (cost, error) {
	args := append([]string{"population", "--quiet", "--dialect", a.dialect, "--input", a.Input, "--output", a.Output, "--variables", strings.Join(a.Variables, ","), "--period", a.Period, "--jobs", strconv.Itoa(a.jobs), "--cache", a.cache}, more...)
	if a.Dir != embedded {
		args = append(args, "--country", a.Dir)
	}
	c, _, err := process(exec.Command(a.edict, args...), nil)
	return c, err
}

func (a ask) theirs() (cost, phases, error) {
	var p phases
	dir, err := filepath.Abs(a.Dir)
	if err != nil {
		return cost{}, p, err
	}
	a.Dir = dir
	question, err := json.Marshal(a)
	if err != nil {
		return cost{}, p, err
	}
	ctx, stop := context.WithTimeout(context.Background(), 30*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, a.python, "-c", script)
	cmd.Dir = dir
	c, answer, err := process(cmd, question)
	if err != nil {
		return c, p, fmt.Errorf("the reference: %w", err)
	}
	return c, p, json.Unmarshal(answer, &p)
}

// process runs a command to its end.
func process(cmd *exec.Cmd, stdin []byte) (cost, []byte, error) {
	var out bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &out, os.Stderr
	begin := time.Now()
	err := cmd.Run()
	if cmd.ProcessState == nil {
		return cost{}, nil, err // it did not start
	}
	c := cost{wall: time.Since(begin).Seconds()}
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.processor = float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
		c.memory = maxRSS(u)
	}
	return c, out.Bytes(), err
}

// sameResults compares two files row by row as float32.
func sameResults(w io.Writer, mine, other string) error {
	a, err := readAll(mine)
	if err != nil {
		return err
	}
	b, err := readAll(other)
	if err != nil {
		return err
	}
	if len(a) != len(b) {
		return fmt.Errorf("%d rows, the reference has %d", len(a), len(b))
	}
	differ := 0
	for i := 1; i < len(a); i++ {
		x, errX := strconv.ParseFloat(a[i][1], 32)
		y, errY := strconv.ParseFloat(b[i][1], 32)
		if errX != nil || errY != nil || a[i][0] != b[i][0] || x != y {
			if differ++; differ <= 5 {
				fmt.Fprintf(w, "differ: %v, the reference %v\n", a[i], b[i])
			}
		}
	}
	fmt.Fprintf(w, "%d rows, %d differ\n", len(a)-1, differ)
	if differ > 0 {
		return errors.New("the results differ")
	}
	return nil
}

func readAll(name string) ([][]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return csv.NewReader(bufio.NewReader(f)).ReadAll()
}
