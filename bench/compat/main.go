// Command compat runs the YAML tests of every country package below a directory with edict, each in its own directory as
// its authors run them, and prints a table: package, cases, passed, failed, time, memory. Failing cases are listed
// with the reason. Given a Python with OpenFisca-Core, it runs the same tests there too, one package after the other, and adds what it took.
//
//	go -C bench run ./compat -edict ../bin/edict [-python FILE [-limit 2m]] DIR
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"text/tabwriter"
	"time"
)

func main() {
	edict := flag.String("edict", "bin/edict", "the program")
	most := flag.Int("failures", 20, "how many failing cases of a package to list")
	python := flag.String("python", "", "a Python with OpenFisca-Core, to run the same tests with")
	limit := flag.Duration("limit", 2*time.Minute, "how long it may take for one package")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: compat [-edict FILE] [-python FILE [-limit TIME]] DIR")
		os.Exit(2)
	}
	failed, err := run(*edict, flag.Arg(0), *most, reference{*python, *limit})
	if err != nil {
		fmt.Fprintln(os.Stderr, "compat:", err)
		os.Exit(1)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

// project is a package with its tests.
type project struct {
	dir, pkg string
	country  string // "" if the package is one itself, else the directory of the one that it extends
	base     string // and its package
	tests    []string
}

// outcome is what running the tests of a project gave.
type outcome struct {
	passed, failed int
	reasons        []string
	time           time.Duration
	memory         int64 // bytes, 0 if unknown
	err            error
}

func run(edict, dir string, most int, r reference) (failed int, err error) {
	if edict, err = filepath.Abs(edict); err != nil {
		return 0, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return 0, err
	}
	projects, err := find(dir)
	if err != nil {
		return 0, err
	}
	if len(projects) == 0 {
		return 0, fmt.Errorf("there is no country package with tests in %s", dir)
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "package\tcases\tpassed\tfailed\tseconds\tMB"+r.titles())
	for _, p := range projects {
		o := test(edict, p)
		failed += o.failed
		if o.err != nil {
			failed++
		}
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%.1f\t%d%s\n", filepath.Base(p.dir), o.passed+o.failed, o.passed, o.failed, o.time.Seconds(), o.memory>>20, r.row(p, o))
		list(p, o, most)
	}
	return failed, table.Flush()
}

func list(p project, o outcome, most int) {
	if o.err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", filepath.Base(p.dir), o.err)
	}
	for i, reason := range o.reasons {
		if i == most {
			fmt.Fprintf(os.Stderr, "%s: … and %d more\n", filepath.Base(p.dir), len(o.reasons)-most)
			break
		}
		fmt.Fprintf(os.Stderr, "%s: %s\n", filepath.Base(p.dir), reason)
	}
}

// find lists the projects below a directory that have a package and tests for it. The country of an extension need not have any.
func find(dir string) ([]project, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var projects, extensions []project
	countries := map[string]string{}
	for _, e := range entries {
		p, isCountry, ok := inspect(filepath.Join(dir, e.Name()))
		if !ok {
			continue
		}
		if isCountry {
			countries[p.pkg] = p.dir
		}
		switch {
		case len(p.tests) == 0:
		case isCountry:
			projects = append(projects, p)
		default:
			extensions = append(extensions, p)
		}
	}
	for _, p := range extensions {
		switch name := extended(p); {
		case countries[name] != "":
			p.country, p.base = countries[name], name
			projects = append(projects, p)
		case name != "":
			fmt.Fprintf(os.Stderr, "%s: not run, since %s, which it extends, is not in %s\n", filepath.Base(p.dir), name, dir)
		}
	}
	return projects, nil
}

// inspect finds the package of a project, and its tests if it has any.
func inspect(dir string) (p project, isCountry, ok bool) {
	for _, pattern := range []string{"*/__init__.py", "src/*/__init__.py"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return p, false, false
		}
		for _, file := range found {
			name := filepath.Base(filepath.Dir(file))
			text, err := os.ReadFile(file)
			if err != nil || name == "tests" || name == "openfisca_core" {
				continue
			}
			p = project{dir: dir, pkg: name, tests: testsOf(dir, filepath.Dir(file))}
			isCountry = bytes.Contains(text, []byte("CountryTaxBenefitSystem"))
			if isCountry || strings.Contains(pattern, "src") {
				return p, isCountry, true
			}
		}
	}
	return p, false, false
}

func testsOf(dir, pkg string) []string {
	var paths []string
	for _, path := range []string{filepath.Join(dir, "tests"), filepath.Join(pkg, "tests")} {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			paths = append(paths, path)
		}
	}
	return paths
}

var importsEntities = regexp.MustCompile(`(?m)^from (\w+)(\.\w+)* import`)

// extended finds the country package that an extension imports from.
func extended(p project) string {
	name := ""
	_ = filepath.WalkDir(p.dir, func(file string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".py" || name != "" {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil
		}
		for _, m := range importsEntities.FindAllSubmatch(text, -1) {
			if found := string(m[1]); strings.HasPrefix(found, "openfisca_") && found != "openfisca_core" && found != p.pkg {
				name = found
			}
		}
		return nil
	})
	return name
}

// test runs the tests of a project in its directory.
func test(edict string, p project) outcome {
	args := []string{"test", "--json", "--country", "."}
	if p.country != "" {
		args = []string{"test", "--json", "--country", p.country, "--extension", "."}
	}
	cmd := exec.Command(edict, append(args, p.tests...)...)
	cmd.Dir = p.dir
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.StdoutPipe()
	if err != nil {
		return outcome{err: err}
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return outcome{err: err}
	}
	var o outcome
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		o.add(p, lines.Bytes())
	}
	err = cmd.Wait()
	o.time = time.Since(start)
	o.memory = peakMemory(cmd.ProcessState)
	if _, ran := errors.AsType[*exec.ExitError](err); err != nil && (!ran || o.failed == 0) {
		o.err = fmt.Errorf("%w\n%s", err, complaints.Bytes())
	}
	return o
}

// add counts one line of edict test --json.
func (o *outcome) add(p project, line []byte) {
	var c struct {
		File, Name, Message string
		Index               int
		Passed              bool
	}
	if json.Unmarshal(line, &c) != nil || c.File == "" {
		return
	}
	if c.Passed {
		o.passed++
		return
	}
	o.failed++
	file := c.File
	if rel, err := filepath.Rel(p.dir, file); err == nil {
		file = rel
	}
	o.reasons = append(o.reasons, fmt.Sprintf("%s, test %d (%s):\n    %s", file, c.Index+1, c.Name, strings.ReplaceAll(c.Message, "\n", "\n    ")))
}
