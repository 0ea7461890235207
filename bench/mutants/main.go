// Command mutants breaks one thing at a time in the packages it is given (a condition, a bound, a call or an assignment
// that is left out) and runs the tests of the package, and of those named with -also, on each. A mutant that no test notices
// is a test that is missing. Files are never changed: the compiler gets the mutant as an overlay. A test that fails has to fail
// again, alone: on a busy machine one may fail for want of time. A mutant whose test does not is put with the survivors.
//
//	go -C bench run ./mutants [-n 30] [-seed 1] [-jobs 2] PACKAGE[+PACKAGE…]…     # a package, and after + others whose tests count too
//	go -C bench run ./mutants -slow 'TestFuzz|TestStorm' PACKAGE                  # tests that run on what all others left alive
//	go -C bench run ./mutants -list PACKAGE                                       # every mutant there is, by name
//	go -C bench run ./mutants -only TEXT PACKAGE                                  # those whose name has the text, with what the tests said
//	go -C bench run ./mutants -named                                              # those of named.txt, written by hand
//
// A mutant that nothing can tell from the original stands in equivalent.txt with its reason and is not drawn.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
	flag.StringVar(&r.slow, "slow", "", "tests that take long, as a regular expression: they run last")
	byName := flag.Bool("named", false, "try the mutants of named.txt, each with its own tests")
	flag.Parse()
	if (flag.NArg() == 0) != *byName {
		fmt.Fprintln(os.Stderr, "usage: mutants [-n N] [-seed N] [-jobs N] [-list] [-only TEXT] [-slow TESTS] PACKAGE[+PACKAGE…]…, or mutants -named [-only TEXT]")
		os.Exit(2)
	}
	if err := os.Chdir(".."); err != nil { // packages are named as they are seen from the repository's root
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
	try := func() (int, error) { return r.packages(flag.Args(), *n, *seed, *list) }
	if *byName {
		try = r.named
	}
	survivors, err := try()
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
	slow  string
	tests string // that run alone; "": all
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
	if v, by, out := r.test(nil, tests); v != survived {
		return fmt.Errorf("the tests of %s do not pass as they are (%s):\n%s", tests[0], by, out)
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
				v, by, out := r.test(&m, tests)
				mu.Lock()
				r.tell(m, v, by, out, c)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return nil
}

func (r *runner) tell(m mutant, v verdict, by string, out []byte, c *count) {
	switch v {
	case killed:
		c.killed++
		if by == timeIsUp {
			c.late++
		}
	case survived:
		c.survived++
	case unviable:
		c.unviable++
	}
	if v != unviable {
		fmt.Printf("%s %s\n         %s:%d %s\n", [...]string{"killed  ", "SURVIVED"}[v], m.name(), m.file, m.line, by)
	}
	if r.only != "" {
		fmt.Printf("%s\n", out)
	}
}

// verdict is what the tests said of a mutant.
type verdict int

const (
	killed verdict = iota
	survived
	unviable // it does not compile
)

// timeIsUp is what a mutant died of whose tests took too long.
const timeIsUp = "by the limit of time"

// test runs the tests on a mutant, or on the files as they are for nil. It returns what they said, and which one did.
func (r *runner) test(m *mutant, tests []string) (v verdict, by string, out []byte) {
	dir, err := os.MkdirTemp(r.dir, "")
	if err != nil {
		return unviable, "", []byte(err.Error())
	}
	defer os.RemoveAll(dir)
	args := []string{"test", "-vet=off", "-ldflags=-s -w", "-c", "-o", dir + "/"}
	if m != nil {
		overlay, err := m.overlay(dir)
		if err != nil {
			return unviable, "", []byte(err.Error())
		}
		args = append(args, "-overlay", overlay)
	}
	for _, pkg := range tests {
		args = append(args, "./"+pkg)
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return unviable, "", out
	}
	v = survived
	for _, which := range r.stages() {
		for _, pkg := range tests {
			v, by, out = r.stage(dir, pkg, which, m != nil)
			if v == killed {
				return v, by, out
			}
		}
	}
	return v, by, out
}

// stages are the choices of tests that run one after the other.
func (r *runner) stages() []string {
	if r.tests != "" {
		return []string{"-test.run=" + r.tests}
	}
	if r.slow == "" {
		return []string{"-test.run=."}
	}
	return []string{"-test.skip=" + r.slow, "-test.run=" + r.slow}
}

// failure finds the first test that failed. A test within a test comes after it.
var failure = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// stage runs some tests of a package, and the one that failed again.
func (r *runner) stage(dir, pkg, which string, again bool) (v verdict, by string, out []byte) {
	out, err := r.run(dir, pkg, which)
	found := failure.FindSubmatch(out)
	switch {
	case err == nil:
		return survived, "", out
	case bytes.Contains(out, []byte("panic: test timed out")):
		return killed, timeIsUp, out
	case found == nil: // the process ended
		return killed, "by the end of the process", out
	}
	name := string(found[1])
	if !again {
		return killed, "by " + name, out
	}
	if second, err := r.run(dir, pkg, "-test.run=^"+name+"$"); err == nil {
		return survived, "although " + name + " failed once", append(out, second...)
	}
	return killed, "by " + name, out
}

func (r *runner) run(dir, pkg, which string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*r.limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(dir, filepath.Base(pkg)+".test"), "-test.paniconexit0", "-test.failfast", "-test.v", "-test.timeout="+r.limit.String(), which)
	cmd.Dir = pkg
	return cmd.CombinedOutput()
}

// overlay writes the mutated file and the list that puts it in the place of the original.
func (m *mutant) overlay(dir string) (string, error) {
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
