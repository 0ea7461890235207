// Command times prints where the time of tests goes, as tables of Markdown: the packages with their wall and CPU time, and the
// slowest tests. It reads the output of "go test -json". CPU time is there if the tests ran below .ci/timed, as "make times" has it.
//
//	go -C bench run ./times [-tests 60] FILE
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func main() {
	tests := flag.Int("tests", 60, "how many of the slowest tests to print")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: times [-tests N] FILE, a file of go test -json")
		os.Exit(2)
	}
	if err := run(os.Stdout, flag.Arg(0), *tests); err != nil {
		fmt.Fprintln(os.Stderr, "times:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, name string, tests int) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	r, err := read(file)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	r.print(w, tests)
	return nil
}

// event is a line of "go test -json".
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64
}

// timing is a package or a test. CPU time is that of a package's process and its children, in seconds.
type timing struct {
	name, pkg   string
	result      string
	wall, cpu   float64
	pass, other int // tests of a package
}

// report holds the timings of a run.
type report struct{ packages, tests []*timing }

// used is the line that .ci/timed prints after a package's tests.
var used = regexp.MustCompile(`^cpu ([0-9.]+) ([0-9.]+)\n$`)

// read returns the packages and top-level tests of a run, the slowest first. Lines that are not JSON are skipped.
func read(in io.Reader) (report, error) {
	var r report
	packages := map[string]*timing{}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil || e.Package == "" {
			continue
		}
		p := packages[e.Package]
		if p == nil {
			p = &timing{name: e.Package, pkg: e.Package}
			packages[e.Package] = p
		}
		p.add(e, &r)
	}
	for _, p := range packages {
		if p.pass+p.other > 0 {
			r.packages = append(r.packages, p)
		}
	}
	slowest := func(a, b *timing) int {
		return cmp.Or(cmp.Compare(b.wall, a.wall), cmp.Compare(a.pkg, b.pkg), cmp.Compare(a.name, b.name))
	}
	slices.SortFunc(r.packages, slowest)
	slices.SortFunc(r.tests, slowest)
	return r, lines.Err()
}

// add counts an event of a package. Tests within tests are part of them.
func (p *timing) add(e event, r *report) {
	switch e.Action {
	case "output":
		if m := used.FindStringSubmatch(e.Output); m != nil {
			user, _ := strconv.ParseFloat(m[1], 64) // digits and points, by the pattern
			system, _ := strconv.ParseFloat(m[2], 64)
			p.cpu += user + system
		}
	case "pass", "fail", "skip":
		switch {
		case e.Test == "":
			p.wall, p.result = e.Elapsed, e.Action
		case !strings.Contains(e.Test, "/"):
			r.tests = append(r.tests, &timing{name: e.Test, pkg: p.pkg, result: e.Action, wall: e.Elapsed})
			if e.Action == "pass" {
				p.pass++
			} else {
				p.other++
			}
		}
	}
}

func (r report) print(w io.Writer, tests int) {
	var wall, cpu float64
	fmt.Fprintln(w, "| package | tests | wall s | CPU s |\n|---|---:|---:|---:|")
	for _, p := range r.packages {
		wall, cpu = wall+p.wall, cpu+p.cpu
		fmt.Fprintf(w, "| %s%s | %d | %.1f | %.1f |\n", p.name, note(p.result), p.pass+p.other, p.wall, p.cpu)
	}
	fmt.Fprintf(w, "| all | %d | %.1f | %.1f |\n", len(r.tests), wall, cpu)
	fmt.Fprintln(w, "\n| slowest tests | package | wall s |\n|---|---|---:|")
	for _, t := range r.tests[:min(tests, len(r.tests))] {
		fmt.Fprintf(w, "| `%s`%s | %s | %.1f |\n", t.name, note(t.result), t.pkg, t.wall)
	}
}

// note marks what did not pass.
func note(result string) string {
	if result == "pass" {
		return ""
	}
	return " (" + result + ")"
}
