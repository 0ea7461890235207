package cli_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"edict/cli"
)

// TestDocsNameWhatExists: a page that names a package, a file, an identifier, a test, a flag, a setting's variable, a metric, a flag
// of a benchmark or a target of make names one that exists. Only text between backquotes is looked at.
func TestDocsNameWhatExists(t *testing.T) {
	h := readHouse(t, "..")
	checked := 0
	each(t, func(_ page, line pageLine) (wrong []string) {
		for _, span := range spans.FindAllStringSubmatch(line.text, -1) {
			problems, looked := h.check(span[1])
			checked += looked
			wrong = append(wrong, problems...)
		}
		return wrong
	})
	if checked < 400 {
		t.Errorf("only %d names were looked at: the patterns do not see them any more", checked)
	}
}

var (
	spans      = regexp.MustCompile("`([^`]+)`")
	edictFlag  = regexp.MustCompile(`(?:^| )--([a-z][a-z0-9-]+)`)
	metric     = regexp.MustCompile(`^edict_[a-z_]+`)
	variable   = regexp.MustCompile(`\bEDICT_[A-Z][A-Z_]+\b`)
	benchCall  = regexp.MustCompile(`go -C bench run \./([a-z]+)(.*)`)
	benchRoot  = regexp.MustCompile(`go (run|test) \./bench/`)
	benchFlag  = regexp.MustCompile(` -([a-z]+)`)
	makeTarget = regexp.MustCompile(`^make ([a-z]+)\b`)
	filePath   = regexp.MustCompile(`^[A-Za-z0-9_.*-]+(/[A-Za-z0-9_.*-]+)+/?$`)
	fileName   = regexp.MustCompile(`^[a-z0-9_*]+(_[a-z*]+)?\.(go|md|py|yaml|txtar)$`)
	testName   = regexp.MustCompile(`^(?:Test|Fuzz|Benchmark)[A-Z][A-Za-z0-9]+$`)
	identifier = regexp.MustCompile(`^[A-Za-z][a-z0-9]*([A-Z_][A-Za-z0-9]+)+(\(\))?$`)
	qualified  = regexp.MustCompile(`^\*?(?:[a-z0-9]+/)*([a-z][a-z0-9]*)\.([A-Z][A-Za-z0-9]*)(?:\.([A-Z][A-Za-z0-9]*))?(?:\(.*\))?$`)
)

// foreign are names of others: of Go's runtime, of pip, of packages that are written about.
var foreign = map[string]bool{
	"GOGC": true, "HTTPS_PROXY": true, "worker_connections": true, "kubernetes_sd_configs": true, "PIP_TIMEOUT": true, "pkg_resources": true, "policyengine_core": true, "retraite_salarie": true,
}

// house is what there is to be named.
type house struct {
	files       []string                   // of the repository, with slashes
	directories map[string]bool            // that hold them
	declared    map[string]map[string]bool // names by package name: functions, types, methods, fields, constants, variables
	tests       map[string]bool
	source      string // the text of all Go files
	words       string // and of everything else that is not a page
	makefile    string
	flags       map[string]bool // of the command line
	variables   map[string]bool // of its settings
}

func readHouse(t *testing.T, root string) *house {
	t.Helper()
	h := &house{directories: map[string]bool{}, declared: map[string]map[string]bool{}, tests: map[string]bool{}}
	var source, words strings.Builder
	err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if base := path.Base(rel); base == ".git" || base == "node_modules" || rel == "bin" || rel == "dist" {
				return filepath.SkipDir
			}
			h.directories[rel] = true
			return nil
		}
		h.files = append(h.files, rel)
		if strings.HasSuffix(rel, ".md") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if !strings.HasSuffix(rel, ".go") {
			words.Write(text)
			return nil
		}
		source.Write(text)
		return h.declare(rel, text)
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	h.source, h.words, h.makefile = source.String(), words.String(), string(text)
	h.flags, h.variables = cli.FlagsAndVariables()
	return h
}

// declare adds what a Go file declares.
func (h *house) declare(name string, text []byte) error {
	tree, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	pkg := strings.TrimSuffix(tree.Name.Name, "_test")
	if pkg == "main" {
		pkg = path.Base(path.Dir(name))
	}
	if h.declared[pkg] == nil {
		h.declared[pkg] = map[string]bool{}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			h.declared[pkg][n.Name.Name] = true
			if strings.HasSuffix(name, "_test.go") && n.Recv == nil {
				h.tests[n.Name.Name] = true
			}
		case *ast.TypeSpec:
			h.declared[pkg][n.Name.Name] = true
		case *ast.ValueSpec:
			for _, id := range n.Names {
				h.declared[pkg][id.Name] = true
			}
		case *ast.Field:
			for _, id := range n.Names {
				h.declared[pkg][id.Name] = true
			}
		}
		return true
	})
	return nil
}

// check tells what is wrong with the names in a span, and how many names it looked at.
func (h *house) check(span string) (wrong []string, looked int) {
	if strings.Contains(span, "NAME") || strings.Contains(span, "…") { // a pattern
		return nil, 0
	}
	need := func(ok bool, problem string) {
		looked++
		if !ok {
			wrong = append(wrong, "`"+span+"`: "+problem)
		}
	}
	if strings.HasPrefix(span, "--") || strings.HasPrefix(span, "edict ") || strings.HasPrefix(span, "bin/edict ") {
		for _, m := range edictFlag.FindAllStringSubmatch(span, -1) {
			need(h.flags[m[1]], "no command has a flag --"+m[1])
		}
	}
	if m := metric.FindString(span); m != "" {
		need(strings.Contains(h.source, `"`+strings.TrimSuffix(m, "_")) || strings.Contains(h.source, `"`+strings.TrimPrefix(m, "edict_")), "no metric has this name")
	}
	for _, m := range variable.FindAllString(span, -1) {
		need(h.reads(m), "nothing reads "+m)
	}
	problems, programs := h.checkProgram(span)
	wrong, looked = append(wrong, problems...), looked+programs
	for _, m := range testName.FindAllString(span, -1) {
		need(h.tests[m], "there is no "+m)
	}
	if m := qualified.FindStringSubmatch(span); m != nil && h.declared[m[1]] != nil {
		need(h.declared[m[1]][m[2]], "package "+m[1]+" declares no "+m[2])
		if m[3] != "" {
			need(h.declared[m[1]][m[3]], "package "+m[1]+" declares no "+m[3])
		}
	}
	if name := strings.TrimSuffix(span, "()"); identifier.MatchString(span) && !h.variables[name] && !foreign[name] {
		need(strings.Contains(h.source, name) || strings.Contains(h.words, name), "this occurs nowhere but in pages")
	}
	if fileName.MatchString(span) || filePath.MatchString(span) && h.ours(span) && !qualified.MatchString(span) {
		need(h.exists(strings.TrimSuffix(span, "/")), "there is no such file or package")
	}
	return wrong, looked
}

// reads reports whether something reads a variable of the environment. A name that ends with _ stands for many.
func (h *house) reads(name string) bool {
	return h.variables[name] || strings.Contains(h.source, `"`+name+`"`) || strings.Contains(h.words, name) || strings.HasSuffix(name, "_")
}

// checkProgram tells what is wrong with a call of a benchmark or of make.
func (h *house) checkProgram(span string) (wrong []string, looked int) {
	need := func(ok bool, problem string) {
		looked++
		if !ok {
			wrong = append(wrong, "`"+span+"`: "+problem)
		}
	}
	if m := benchCall.FindStringSubmatch(span); m != nil {
		need(h.directories["bench/"+m[1]], "there is no bench/"+m[1])
		for _, f := range benchFlag.FindAllStringSubmatch(m[2], -1) {
			need(f[1] == "h" || strings.Contains(h.source, `"`+f[1]+`", `), "bench/"+m[1]+" has no flag -"+f[1])
		}
	}
	if m := benchRoot.FindStringSubmatch(span); m != nil {
		need(false, "bench is a module of its own: go -C bench "+m[1]+" ./…")
	}
	if m := makeTarget.FindStringSubmatch(span); m != nil {
		need(strings.Contains(h.makefile, "\n"+m[1]+":"), "the Makefile has no target "+m[1])
	}
	return wrong, looked
}

// ours reports whether a path begins like one of the repository.
func (h *house) ours(span string) bool {
	first, _, _ := strings.Cut(span, "/")
	return h.directories[first] || strings.HasSuffix(span, ".go")
}

// exists finds a file or directory by its path, or by the end of it, as pages about one package name its files.
func (h *house) exists(name string) bool {
	matches := func(file string) bool {
		for {
			if ok, err := path.Match(name, file); ok && err == nil {
				return true
			}
			_, rest, found := strings.Cut(file, "/")
			if !found {
				return false
			}
			file = rest
		}
	}
	if slices.ContainsFunc(h.files, matches) {
		return true
	}
	for directory := range h.directories {
		if matches(directory) {
			return true
		}
	}
	return false
}
