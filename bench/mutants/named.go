package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"strings"
)

//go:embed named.txt
var namedText string

// named is a mutant written by hand, with the tests that have to notice it.
type named struct {
	title       string
	file        string
	from, to    []string // lines
	pkg, accuse string   // whose tests, and which of them
}

// parseNamed reads named.txt.
func parseNamed(text string) (all []named, err error) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		rest := line[1:]
		if line[0] == '=' {
			all = append(all, named{title: strings.TrimSpace(rest)})
			continue
		}
		if len(all) == 0 {
			return nil, fmt.Errorf("named.txt: %q before the first name", line)
		}
		n := &all[len(all)-1]
		switch line[0] {
		case '@':
			n.file = strings.TrimSpace(rest)
		case '-':
			n.from = append(n.from, rest)
		case '+':
			n.to = append(n.to, rest)
		case '?':
			n.pkg, n.accuse, _ = strings.Cut(strings.TrimSpace(rest), " ")
		default:
			return nil, fmt.Errorf("named.txt: %q begins with none of = @ - + ?", line)
		}
	}
	return all, nil
}

// mutant makes the change to the file below a directory.
func (n *named) mutant(read func(name string) ([]byte, error)) (mutant, error) {
	source, err := read(n.file)
	if err != nil {
		return mutant{}, err
	}
	from := []byte(strings.Join(n.from, "\n"))
	if len(from) == 0 || n.accuse == "" || bytes.Count(source, from) != 1 {
		return mutant{}, fmt.Errorf("named.txt, %s: its lines do not stand in %s once, or it has no tests", n.title, n.file)
	}
	at := bytes.Index(source, from)
	return mutant{
		file: n.file, function: n.title, line: 1 + bytes.Count(source[:at], []byte("\n")), source: source, from: at, to: at + len(from), with: strings.Join(n.to, "\n"), nth: 1,
	}, nil
}

// named tries the mutants of named.txt, each with its own tests.
func (r *runner) named() (survivors int, err error) {
	all, err := parseNamed(namedText)
	if err != nil {
		return 0, err
	}
	if r.dir, err = os.MkdirTemp("", "mutants-"); err != nil {
		return 0, err
	}
	defer os.RemoveAll(r.dir)
	passed := map[string]bool{}
	for _, n := range all {
		if !strings.Contains(n.title, r.only) {
			continue
		}
		m, err := n.mutant(os.ReadFile)
		if err != nil {
			return survivors, err
		}
		r.tests = "^(" + n.accuse + ")$"
		if tests := n.pkg + " " + n.accuse; !passed[tests] {
			if v, by, out := r.test(nil, []string{n.pkg}); v != survived || bytes.Contains(out, []byte("--- SKIP")) {
				return survivors, fmt.Errorf("%s do not pass as they are (%s):\n%s", tests, by, out)
			}
			passed[tests] = true
		}
		v, by, out := r.test(&m, []string{n.pkg})
		if v == unviable {
			return survivors, fmt.Errorf("%s does not compile:\n%s", n.title, out)
		}
		if v == survived {
			survivors++
		}
		fmt.Printf("%s %s\n         %s\n", [...]string{"killed  ", "SURVIVED"}[v], n.title, by)
		if r.only != "" {
			fmt.Printf("%s\n", out)
		}
	}
	return survivors, nil
}
