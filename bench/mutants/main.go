// Command mutants breaks one thing at a time in the packages it is given (a condition, a bound, a call or an assignment
// that is left out) and runs the tests of the package, and of those named with -also, on each. A mutant that no test notices
// is a test that is missing. Files are never changed: the compiler gets the mutant as an overlay.
//
//	go run ./bench/mutants [-n 30] [-seed 1] [-jobs 2] PACKAGE[+PACKAGE…]…     # a package, and after + others whose tests count too
//	go run ./bench/mutants -list PACKAGE                                       # every mutant there is, by name
//	go run ./bench/mutants -only TEXT PACKAGE                                  # those whose name has the text, with what the tests said
//
// A mutant that nothing can tell from the original stands in equivalent.txt with its reason and is not drawn.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"text/tabwriter"
	"time"
)

//go:embed equivalent.txt
var equivalent string

func main() {
	var r runner
	n := flag.Int("n", 30, "how many mutants of each package to try; 0: all")
	seed := flag.Uint64("seed", 1, "which ones are drawn")
	list := flag.Bool("list", false, "list the mutants and try none")
	flag.StringVar(&r.only, "only", "", "try the mutants whose name has this text alone, equivalent ones too, and print what the tests said")
	flag.IntVar(&r.jobs, "jobs", 2, "how many at a time")
	flag.DurationVar(&r.limit, "limit", 3*time.Minute, "how long the tests may take; a mutant that takes longer is dead, and told of: on a busy machine it may not be")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: mutants [-n N] [-seed N] [-jobs N] [-list] [-only TEXT] PACKAGE[+PACKAGE…]…")
		os.Exit(2)
	}
	survivors, err := r.packages(flag.Args(), *n, *seed, *list)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
	}
	if err != nil || survivors > 0 {
		os.Exit(1)
	}
}

// runner tries mutants.
type runner struct {
	jobs  int
	limit time.Duration
	only  string
	dir   string // scratch
}

// count is what became of the mutants of a package.
type count struct {
	pkg                        string
	killed, survived, unviable int
	late                       int // of those killed: by the limit of time
	equivalent                 int
}

func (r *runner) packages(args []string, n int, seed uint64, list bool) (survivors int, err error) {
	if r.dir, err = os.MkdirTemp("", "mutants-"); err != nil {
		return 0, err
	}
	defer os.RemoveAll(r.dir)
	known := known(equivalent)
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "package\tmutants\tkilled\tof these by time\tsurvived\tequivalent\tdo not compile\tkilled %\t")
	for _, arg := range args {
		tests := strings.Split(arg, "+")
		all, err := find(tests[0])
		if err != nil {
			return survivors, err
		}
		c := count{pkg: tests[0]}
		all = r.choose(all, known, &c)
		if list {
			for _, m := range all {
				fmt.Println(m.name())
			}
			continue
		}
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		if err := r.try(all, tests, n, &c); err != nil {
			return survivors, err
		}
		survivors += c.survived
		tried := c.killed + c.survived
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\t\n", c.pkg, tried, c.killed, c.late, c.survived, c.equivalent, c.unviable, 100*float64(c.killed)/float64(max(tried, 1)))
	}
	if !list {
		table.Flush()
	}
	return survivors, nil
}

// choose leaves out what is known to be equivalent, or all but those that were asked for.
func (r *runner) choose(all []mutant, known map[string]bool, c *count) []mutant {
	var out []mutant
	for _, m := range all {
		switch {
		case !strings.Contains(m.name(), r.only):
		case r.only == "" && known[m.name()]:
			c.equivalent++
		default:
			out = append(out, m)
		}
	}
	return out
}

// known reads the names of equivalent.txt: lines that begin with # or a space are reasons.
func known(text string) map[string]bool {
	names := map[string]bool{}
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\n"); line != "" && line[0] != '#' && line[0] != ' ' {
			names[line] = true
		}
	}
	return names
}

// try runs mutants until n of them compiled.
func (r *runner) try(all []mutant, tests []string, n int, c *count) error {
	if n == 0 || n > len(all) {
		n = len(all)
	}
	// Without a mutant the tests must pass, or every mutant would look dead.
	if v, out := r.test(nil, tests); v != survived {
		return fmt.Errorf("the tests of %s do not pass as they are:\n%s", tests[0], out)
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	next := 0
	for range r.jobs {
		wg.Go(func() {
			for {
				mu.Lock()
				if next == len(all) || c.killed+c.survived >= n {
					mu.Unlock()
					return
				}
				m := all[next]
				next++
				mu.Unlock()
				v, out := r.test(&m, tests)
				mu.Lock()
				r.tell(m, v, out, c)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return nil
}

func (r *runner) tell(m mutant, v verdict, out []byte, c *count) {
	switch v {
	case killed:
		c.killed++
		if bytes.Contains(out, []byte("panic: test timed out")) {
			c.late++
			fmt.Printf("TIME IS UP %s\n           %s:%d\n", m.name(), m.file, m.line)
		}
	case survived:
		c.survived++
		fmt.Printf("SURVIVED %s\n         %s:%d\n", m.name(), m.file, m.line)
	case unviable:
		c.unviable++
	}
	if r.only != "" {
		fmt.Printf("%s: %s\n%s\n", m.name(), [...]string{"killed", "survived", "does not compile"}[v], out)
	}
}

// verdict is what the tests said of a mutant.
type verdict int

const (
	killed verdict = iota
	survived
	unviable // it does not compile
)

// test runs the tests on a mutant, or on the files as they are for nil.
func (r *runner) test(m *mutant, tests []string) (verdict, []byte) {
	args := []string{"test", "-vet=off", "-failfast", "-timeout", r.limit.String()}
	if m != nil {
		overlay, err := r.overlay(m)
		if err != nil {
			return unviable, []byte(err.Error())
		}
		args = append(args, "-overlay", overlay)
	}
	for _, pkg := range tests {
		args = append(args, "./"+pkg)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*r.limit)
	defer cancel()
	out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput()
	switch {
	case err == nil:
		return survived, out
	case bytes.Contains(out, []byte("[build failed]")), !isExit(err):
		return unviable, out
	}
	return killed, out
}

func isExit(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit)
}

// overlay writes the mutated file and the list that puts it in the place of the original.
func (r *runner) overlay(m *mutant) (string, error) {
	dir, err := os.MkdirTemp(r.dir, "")
	if err != nil {
		return "", err
	}
	original, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	mutated, list := filepath.Join(dir, filepath.Base(m.file)), filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]map[string]string{"Replace": {original: mutated}})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(mutated, m.text(), 0o600); err != nil {
		return "", err
	}
	return list, os.WriteFile(list, text, 0o600)
}
