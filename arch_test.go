package edict

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// imports is the law of the house: for every package, the packages of this module it may import.
// Messaging is a star (its parts import messaging and never each other), simulation a ladder
// (each rung imports lower rungs only), the two never meet outside cli, and platform knows neither.
//
// "*" stands for every package of the table. internals/architecture.md draws the same picture.
var imports = map[string][]string{
	"":          nil,
	"cmd/edict": {"cli"},
	"cli":       {"*"},

	"platform/fault":    nil,
	"platform/names":    nil, // names are checked in one place, by identity, messaging and watches
	"platform/recent":   nil, // what the audit trail has already
	"platform/nearest":  nil, // whoever refuses a name may say which one was meant
	"platform/cores":    nil, // how many things are done at once is counted by cores, everywhere in the same way
	"platform/logs":     nil,
	"platform/filelock": nil, // whose files are whose, where several processes may use a directory
	"platform/db":       {"platform/fault", "platform/filelock"},
	"platform/heap":     nil,
	"platform/http1":    nil,
	"platform/jsonio":   {"platform/fault", "platform/heap", "platform/nearest"},
	"platform/web":      {"platform/cores", "platform/fault", "platform/heap", "platform/http1", "platform/jsonio", "platform/nearest"},
	"platform/auth":     {"platform/cores", "platform/fault", "platform/db", "platform/recent", "platform/names", "platform/web"},

	"platform/db/faultfs": nil, // for tests: nothing that ships imports it
	"platform/db/pgtest":  nil, // the same
	"platform/db/bustest": nil, // the same: NATS
	"platform/longtest":   nil, // the same: how large tests are

	"messaging":           {"platform/fault", "platform/recent", "platform/names", "platform/nearest"},
	"messaging/sqlstore":  {"messaging", "platform/fault", "platform/db"},
	"messaging/storetest": {"messaging", "platform/fault", "platform/longtest"},
	"messaging/realtime":  {"messaging", "platform/cores", "platform/fault", "platform/heap", "platform/jsonio", "platform/web"},
	"messaging/delivery":  {"messaging", "platform/fault"},
	"messaging/monitor":   {"messaging", "platform/web"},
	"messaging/msgapi":    {"messaging", "platform/fault", "platform/jsonio", "platform/web", "platform/auth"},

	"messaging/delivery/pushtest": nil, // for tests: nothing that ships imports it

	"simulation/period":        nil,
	"simulation/elementary":    nil,
	"simulation/vector":        {"simulation/elementary"},
	"simulation/image":         nil,
	"simulation/pysyntax":      nil,
	"simulation/roots":         nil,
	"simulation/pyindex":       nil,
	"simulation/shelf":         {"simulation/pyindex"},
	"simulation/pyeval":        {"simulation/image", "simulation/pysyntax", "simulation/vector", "platform/nearest"},
	"simulation/pyeval/stdlib": {"simulation/image", "simulation/pyeval", "simulation/pysyntax", "simulation/vector"},
	"simulation/pyeval/numpy":  {"simulation/image", "simulation/pyeval", "simulation/pyeval/stdlib", "simulation/pysyntax", "simulation/roots", "simulation/vector"},
	"simulation/legislation":   {"simulation/image", "simulation/period", "simulation/vector", "platform/cores", "platform/nearest"},
	"simulation/policyengine":  {"simulation/legislation", "simulation/pysyntax"},
	"simulation/country":       {"simulation/policyengine", "simulation/image", "simulation/legislation", "simulation/period", "simulation/vector", "simulation/pysyntax", "simulation/pyeval", "simulation/pyeval/stdlib", "simulation/pyeval/numpy", "platform/cores"},
	"simulation/engine":        {"simulation/legislation", "simulation/period", "simulation/vector", "platform/heap"},
	"simulation/scenario":      {"simulation/engine", "simulation/legislation", "simulation/period", "simulation/vector", "platform/fault", "platform/heap", "platform/jsonio"},
	"simulation/search":        {"simulation/legislation", "platform/nearest"},
	"simulation/lawgraph":      {"simulation/legislation", "simulation/period", "simulation/pyeval", "simulation/pysyntax"},
	"simulation/decomposition": {"simulation/scenario", "simulation/engine", "simulation/legislation", "simulation/period", "simulation/vector", "platform/fault"},
	"simulation/why":           {"simulation/engine", "simulation/legislation", "simulation/period", "simulation/vector", "simulation/pysyntax", "platform/nearest"},
	"simulation/yamltest":      {"simulation/scenario", "simulation/country", "simulation/engine", "simulation/legislation", "simulation/period", "simulation/vector", "platform/cores"},
	"simulation/statistics":    nil,
	"simulation/hdf5":          nil,
	"simulation/jobs":          {"platform/filelock"},
	"simulation/calibration":   nil,
	"simulation/population":    {"simulation/calibration", "simulation/hdf5", "simulation/scenario", "simulation/engine", "simulation/legislation", "simulation/period", "simulation/statistics", "simulation/vector", "platform/cores", "platform/heap"},

	"simulation/objectstore":        {"simulation/population"}, // files of populations in buckets: what knows of S3 is here alone
	"simulation/objectstore/s3test": nil,

	"simulation/simapi": {
		"simulation/jobs", "simulation/population", "simulation/why", "simulation/decomposition", "simulation/scenario", "simulation/country", "simulation/engine", "simulation/lawgraph", "simulation/search", "simulation/legislation",
		"simulation/period", "simulation/vector", "simulation/pysyntax", "platform/cores", "platform/fault", "platform/heap", "platform/jsonio", "platform/web", "platform/auth",
	},

	"release":        nil, // what is published, made of the built programs
	"release/module": nil, // renames the Go module
	"console":        {"docs", "platform/auth", "platform/fault", "platform/web"},
	"console/build":  nil,                                                                                     // a module of its own, for go generate
	"watch":          {"platform/db", "platform/fault", "platform/names", "platform/nearest", "platform/web"}, // neither service: cli gives it what it needs of both

	"client":    {"platform/fault"},
	"countries": nil,
	"docs":      nil, // the pages, for the console
	"e2e":       {"*"},
	"bench":     {"*"},
}

// TestImports reads the files itself: a test that shells out to "go list" is cached although the files changed.
func TestImports(t *testing.T) {
	for _, f := range goFiles(t) {
		pkg := path.Dir(f)
		if pkg == "." {
			pkg = ""
		}
		allowed, listed := rule(pkg)
		if !listed {
			t.Errorf("%s: package %q is not in the import table of arch_test.go: add it there, with the imports it may have", f, pkg)
			continue
		}
		for _, imported := range moduleImports(t, f) {
			if !mayImport(f, pkg, imported, allowed) {
				t.Errorf("%s imports %s, which the import table of arch_test.go does not allow", f, imported)
			}
		}
	}
}

// rule finds the row of a package; the packages below bench share its row, and those below e2e.
func rule(pkg string) (allowed []string, listed bool) {
	for _, top := range []string{"bench", "e2e"} {
		if strings.HasPrefix(pkg, top+"/") {
			pkg = top
		}
	}
	allowed, listed = imports[pkg]
	return allowed, listed
}

// mayImport gives test files more room (a test may drive its package from above), but the two
// services do not meet in tests either, except in the packages that see everything.
func mayImport(file, pkg, imported string, allowed []string) bool {
	if slices.Contains(allowed, "*") || slices.Contains(allowed, imported) || imported == pkg {
		return true
	}
	if !strings.HasSuffix(file, "_test.go") {
		return false
	}
	from, to := service(pkg), service(imported)
	return from == "" || to == "" || from == to
}

func service(pkg string) string {
	top, _, _ := strings.Cut(pkg, "/")
	if top == "messaging" || top == "simulation" {
		return top
	}
	return ""
}

func goFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || name != "." && strings.HasPrefix(d.Name(), ".")) {
			return fs.SkipDir
		}
		if strings.HasSuffix(name, ".go") {
			files = append(files, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func moduleImports(t *testing.T, file string) []string {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	module := modulePath()
	var found []string
	for _, spec := range tree.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if inside, ok := strings.CutPrefix(name, module+"/"); ok {
			found = append(found, inside)
		}
	}
	return found
}

// modulePath is the path of this module: "make module" changes it.
var modulePath = sync.OnceValue(func() string {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		panic(err)
	}
	_, rest, _ := strings.Cut(string(mod), "module ")
	name, _, _ := strings.Cut(rest, "\n")
	return name
})

// TestDrawing: the drawing of internals/architecture.md has the packages of the import table, and nothing else but what is in parentheses.
func TestDrawing(t *testing.T) {
	page, err := os.ReadFile("internals/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```\n")
	drawing, _, _ := strings.Cut(rest, "```\n")
	drawn := map[string]bool{}
	for _, word := range packageName.FindAllString(explanation.ReplaceAllString(drawing, ""), -1) {
		drawn[path.Base(word)] = true
	}
	want := map[string]bool{"platform": true}
	for pkg := range imports {
		if pkg != "" {
			want[path.Base(pkg)] = true
		}
	}
	for pkg := range want {
		if !drawn[pkg] {
			t.Errorf("the drawing lacks %s", pkg)
		}
	}
	for word := range drawn {
		if !want[word] {
			t.Errorf("the drawing has %s, which is no package of the import table", word)
		}
	}
}

var (
	explanation = regexp.MustCompile(`\([^)]*\)`)
	packageName = regexp.MustCompile(`[a-z][a-z0-9/]+`)
)
