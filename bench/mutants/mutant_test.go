package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const sample = `package p

func (t *T[K]) add(n int, ok bool) error {
	if ok {
		t.n = n
	}
	if err := t.check(n); err != nil {
		return err
	}
	defer t.unlock()
	t.count++
	if n < 3 && t.ready != nil {
		t.tell(n)
		panic("no")
	}
	n = 4
	return nil
}
`

func TestMutants(t *testing.T) {
	all, err := inFile("p.go", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"p.go T.add: defer t.unlock() -> (nothing)",
		"p.go T.add: t.count++ -> (nothing)",
		"p.go T.add: ok -> !(ok)",
		"p.go T.add: t.n = n -> (nothing)",
		"p.go T.add: n < 3 && t.ready != nil -> n < 3 || t.ready != nil",
		"p.go T.add: n < 3 -> n <= 3",
		"p.go T.add: n < 3 -> n < 3+1",
		"p.go T.add: t.ready != nil -> t.ready == nil",
		"p.go T.add: t.tell(n) -> (nothing)",
	}
	var names []string
	for _, m := range all {
		names = append(names, m.name())
		if _, err := parser.ParseFile(token.NewFileSet(), "p.go", m.text(), 0); err != nil {
			t.Errorf("%s does not parse: %v", m.name(), err)
		}
	}
	if !slices.Equal(names, want) {
		t.Errorf("the mutants are\n%q, want\n%q", names, want)
	}
}

func TestNamesAreUnique(t *testing.T) {
	all, err := inFile("p.go", []byte("package p\nfunc f() { g(); g(); h() }\nfunc k() { g() }\n"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, m := range all {
		if seen[m.name()] {
			t.Errorf("%s is there twice", m.name())
		}
		seen[m.name()] = true
	}
	if len(seen) != 4 {
		t.Errorf("%d mutants, want 4: %v", len(seen), seen)
	}
}

// TestEquivalent: what is kept as equivalent is still there to be changed.
func TestEquivalent(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	there := map[string]map[string]bool{}
	for name := range known(equivalent) {
		file, _, _ := strings.Cut(name, " ")
		if there[file] == nil {
			there[file] = map[string]bool{}
			source, err := os.ReadFile(file)
			if err != nil {
				t.Error(err)
				continue
			}
			all, err := inFile(file, source)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range all {
				there[file][m.name()] = true
			}
		}
		if !there[file][name] {
			t.Errorf("equivalent.txt names a mutant that is no longer there: %s", name)
		}
	}
}

// TestNamed holds that every mutant of named.txt can be made of the files as they are.
func TestNamed(t *testing.T) {
	all, err := parseNamed(namedText)
	if err != nil || len(all) == 0 {
		t.Fatal(len(all), err)
	}
	for _, n := range all {
		m, err := n.mutant(func(name string) ([]byte, error) { return os.ReadFile(filepath.Join("..", "..", name)) })
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), n.file, m.text(), 0); err != nil {
			t.Errorf("%s: %v", n.title, err)
		}
	}
}
