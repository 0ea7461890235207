package edict

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var cross = flag.Bool("cross", false, "check the types of everything, tests included, for other systems")

// targets are every system and both architectures once, without the one that everything is built on.
var targets = []string{"linux/arm64", "darwin/arm64", "windows/amd64"}

// TestTargets checks the types of all packages and tests of the two modules as they are for other systems. Types are what goes wrong there: a call or a
// constant that a system has not, a file that it does not get. Everything is read from source, and of other modules the declarations alone, so that
// nothing is compiled: 30 s of processor time for three targets, where "go vet" first compiles for each what the module depends on and takes minutes.
func TestTargets(t *testing.T) {
	if !*cross {
		t.Skip("-cross is not given")
	}
	for _, target := range targets {
		t.Run(target, func(t *testing.T) {
			system, arch, _ := strings.Cut(target, "/")
			c := checker{fset: token.NewFileSet(), arch: arch, done: map[string]*types.Package{"unsafe": types.Unsafe}}
			for _, module := range []struct { // in this order: the packages of the product are checked as its own, and only imported by bench
				dir   string
				least int // packages and tests
			}{{".", 30}, {"bench", 20}} {
				c.dir = module.dir
				if own, err := c.module(system, "./..."); err != nil || own < module.least {
					t.Errorf("%s: %d packages and tests of the module: %v", module.dir, own, err)
				}
			}
			for _, problem := range c.problems {
				t.Error(problem)
			}
		})
	}
}

// TestChecker: what does not build for a target is found, in programs and in both kinds of tests.
func TestChecker(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module m\n\ngo 1.26\n",
		"a_linux.go":  "package m\n\nconst here = 1\n",
		"a.go":        "package m\n\nvar A = here\n",
		"b.go":        "package m\n\nfunc asm()\n",
		"b_test.go":   "package m\n\nimport \"syscall\"\n\nvar _ = syscall.Kill\n",
		"c_test.go":   "package m_test\n\nimport \"os/exec\"\n\nvar _ = (&exec.Cmd{}).SysProcAttr.Setpgid\n",
		"d_linux.go":  "package m\n\nvar _ int = \"\"\n",
		"e_test.go":   "package m\n\nvar fine = A\n",
		"sub/sub.go":  "package sub\n\nimport \"m\"\n\nvar _ = m.A\n",
		"sub/more.go": "//go:build windows\n\npackage sub\n\nvar _ = m.A\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := checker{fset: token.NewFileSet(), arch: "amd64", dir: dir, done: map[string]*types.Package{"unsafe": types.Unsafe}}
	if own, err := c.module("windows", "./..."); err != nil || own != 4 { // m, m with its tests, m_test, m/sub
		t.Errorf("%d packages: %v", own, err)
	}
	found := fmt.Sprint(c.problems)
	for _, want := range []string{
		"a.go:3:9: undefined: here", "b.go:3:6: asm has no body", "b_test.go:5:17: undefined: syscall.Kill",
		"c_test.go:5:35: (&exec.Cmd{}).SysProcAttr.Setpgid undefined", "more.go:5:9: undefined: m",
	} {
		if !strings.Contains(found, want) {
			t.Errorf("%q is not in\n%s", want, found)
		}
	}
	if len(c.problems) != 5 {
		t.Errorf("more than that was found, or twice:\n%s", found)
	}
}

// checker checks the types of packages in the order of their imports.
type checker struct {
	fset      *token.FileSet
	dir, arch string
	done      map[string]*types.Package
	problems  []string
}

// listed is what "go list" says of a package, or of one together with its tests.
type listed struct {
	ImportPath, Dir string
	Name            string
	GoFiles, SFiles []string
	ImportMap       map[string]string
	Module          *struct {
		Main      bool
		GoVersion string
	}
}

// module checks what the patterns name for a system, and says how many packages and tests of the module it saw.
func (c *checker) module(system, patterns string) (own int, err error) {
	cmd := exec.Command("go", "list", "-deps", "-test", "-json=ImportPath,Dir,Name,GoFiles,SFiles,ImportMap,Module", patterns)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+c.arch, "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	for list := json.NewDecoder(out); ; {
		var p listed
		if err := list.Decode(&p); err == io.EOF {
			return own, cmd.Wait()
		} else if err != nil {
			return own, errors.Join(err, cmd.Wait())
		}
		if p.Name == "main" && strings.HasSuffix(p.ImportPath, ".test") || p.ImportPath == "unsafe" {
			continue // the program that go test writes
		}
		if p.Module != nil && p.Module.Main {
			own++
		}
		if c.done[p.ImportPath] == nil { // else seen with the other module
			c.check(p)
		}
	}
}

func (c *checker) check(p listed) {
	own := p.Module != nil && p.Module.Main
	var files []*ast.File
	for _, name := range p.GoFiles {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.Dir, name)
		}
		file, err := parser.ParseFile(c.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			c.found(err.Error())
			continue
		}
		files = append(files, file)
	}
	config := types.Config{
		IgnoreFuncBodies: !own,
		Importer:         importer{c.done, p.ImportMap},
		Sizes:            types.SizesFor("gc", c.arch),
		Error: func(err error) {
			if own {
				c.found(err.Error())
			}
		},
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		config.GoVersion = "go" + p.Module.GoVersion
	}
	path, _, _ := strings.Cut(p.ImportPath, " ")
	c.done[p.ImportPath], _ = config.Check(path, c.fset, files, nil)
	if own && len(p.SFiles) == 0 {
		c.bodies(files)
	}
}

// found keeps a problem, once: files of a package are checked with its tests too.
func (c *checker) found(problem string) {
	if !slices.Contains(c.problems, problem) {
		c.problems = append(c.problems, problem)
	}
}

// bodies finds functions without one, in packages that have no assembly for the target.
func (c *checker) bodies(files []*ast.File) {
	for _, file := range files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body == nil {
				c.found(fmt.Sprintf("%s: %s has no body", c.fset.Position(f.Name.Pos()), f.Name.Name))
			}
		}
	}
}

// importer finds what was checked before, by the names that one package has for others.
type importer struct {
	done  map[string]*types.Package
	names map[string]string
}

func (i importer) Import(path string) (*types.Package, error) {
	if name, ok := i.names[path]; ok {
		path = name
	}
	if p := i.done[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s was not listed before", path)
}
