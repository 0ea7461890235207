package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// reference is OpenFisca-Core, if there is one.
type reference struct {
	python string // "" for none
	limit  time.Duration
}

// verdict is what the reference made of the tests of a project.
type verdict struct {
	passed, failed int
	time           time.Duration
	err            error
}

// titles are the columns that a reference adds to the table.
func (r reference) titles() string {
	if r.python == "" {
		return ""
	}
	return "\treference passed\treference seconds\ttimes faster"
}

// row is what the reference adds to the line of a project.
func (r reference) row(p project, o outcome) string {
	if r.python == "" {
		return ""
	}
	v := r.test(p)
	switch {
	case errors.Is(v.err, context.DeadlineExceeded):
		least := ""
		if r.limit > o.time {
			least = fmt.Sprintf("over %.0f", r.limit.Seconds()/o.time.Seconds())
		}
		return fmt.Sprintf("\tnot run to its end\tover %.0f\t%s", r.limit.Seconds(), least)
	case v.err != nil:
		fmt.Fprintf(os.Stderr, "%s: reference: %v\n", filepath.Base(p.dir), v.err)
		return "\tnot run\t\t"
	}
	return fmt.Sprintf("\t%d of %d\t%.1f\t%.0f", v.passed, v.passed+v.failed, v.time.Seconds(), v.time.Seconds()/o.time.Seconds())
}

// command is the command line of OpenFisca-Core, as its program openfisca is.
const command = "from openfisca_core.scripts.openfisca_command import main; main()"

// test runs the tests of a project as its authors do: in its directory, which Python imports from.
func (r reference) test(p project) verdict {
	ctx, cancel := context.WithTimeout(context.Background(), r.limit)
	defer cancel()
	args := append([]string{"-c", command, "test"}, p.tests...)
	paths := []string{p.dir, filepath.Join(p.dir, "src")}
	if p.country == "" {
		args = append(args, "-c", p.pkg)
	} else {
		args = append(args, "-c", p.base, "-e", p.pkg)
		paths = append(paths, p.country, filepath.Join(p.country, "src"))
	}
	cmd := exec.CommandContext(ctx, r.python, args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(r.python)+string(os.PathListSeparator)+os.Getenv("PATH"), "PYTHONPATH="+strings.Join(paths, string(os.PathListSeparator)), "PYTHONDONTWRITEBYTECODE=1")
	cmd.WaitDelay = time.Second
	start := time.Now()
	out, err := cmd.CombinedOutput()
	v := summary(out)
	v.time = time.Since(start)
	if ctx.Err() != nil {
		v.err = ctx.Err()
	} else if v.passed+v.failed == 0 {
		v.err = fmt.Errorf("it ran no test, %w: %s", err, lastLine(out))
	}
	return v
}

var counted = regexp.MustCompile(`(\d+) (passed|failed|errors?)\b`)

// summary reads the counts in the last line, "== 3 failed, 73 passed in 9.21s ==".
func summary(out []byte) verdict {
	var v verdict
	for _, m := range counted.FindAllStringSubmatch(lastLine(out), -1) {
		n, err := strconv.Atoi(m[1])
		switch {
		case err != nil:
		case m[2] == "passed":
			v.passed = n
		default:
			v.failed += n
		}
	}
	return v
}

func lastLine(out []byte) string {
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	return string(lines[len(lines)-1])
}
