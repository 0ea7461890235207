package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"edict/platform/longtest"
)

// tree writes a module with a second one inside.
func tree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":        "// edict has no home yet\nmodule edict\n\ngo 1.26\n",
		"a/a.go":        "// Package a has [edict/a/b.B] and edict/c, which is a directory of users.\npackage a\n\nimport (\n\t\"edict/a/b\"\n\t\"embed\"\n)\n\nvar _ embed.FS\n\n// A is text.\nconst A = \"edict\" + b.B + \"s3://edict/a\" + \"/etc/edict/a\" + \"edict/a/b\" + \"edict/a/c\"\n",
		"a/b/b.go":      "package b\n\n// B is text.\nconst B = \"b\"\n",
		"bench/go.mod":  "module edict/bench\n\ngo 1.26\n\nrequire (\n\tedict v0.0.0 // edict is the module above\n\texample.net/x v0.0.0\n)\n\nreplace edict => ../\n\nreplace example.net/x => ../x\n",
		"x/go.mod":      "module example.net/x\n",
		"x/x.go":        "package x\n",
		"bench/main.go": "package main\n\nimport (\n\t_ \"edict/a\"\n\t_ \"example.net/x\"\n)\n\nfunc main() {}\n",
		"README.md":     "`import \"edict/a\"`, `go run edict/bench`, `edict serve`\n",
		"bin/old.txt":   "\"edict/a\"\n",
		"blob":          "\x00\"edict/a\"",
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func run(t *testing.T, dir, name string, arguments ...string) {
	t.Helper()
	cmd := exec.Command(name, arguments...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(arguments, " "), err, out)
	}
}

func TestRename(t *testing.T) {
	dir := tree(t)
	for _, to := range []string{"example.org/edict", "example.org/other/home"} {
		if changed, err := rename(dir, to); err != nil || changed != 5 {
			t.Fatalf("%s: %d files changed, want 5: %v", to, changed, err)
		}
		for name, want := range map[string]string{
			"go.mod":        "// edict has no home yet\nmodule PATH\n",
			"a/a.go":        "[PATH/a/b.B] and edict/c,",
			"bench/go.mod":  "\texample.net/x v0.0.0\n\tPATH v0.0.0 // edict is the module above\n)\n\nreplace PATH => ../\n",
			"bench/main.go": "\t_ \"PATH/a\"",
			"README.md":     "`import \"PATH/a\"`, `go run PATH/bench`, `edict serve`\n",
			"bin/old.txt":   "\"edict/a\"",
			"blob":          "\"edict/a\"",
		} {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if want = strings.ReplaceAll(want, "PATH", to); !strings.Contains(string(text), want) {
				t.Errorf("%s lacks %q:\n%s", name, want, text)
			}
		}
		text, _ := os.ReadFile(filepath.Join(dir, "a/a.go"))
		if want := `"edict" + b.B + "s3://edict/a" + "/etc/edict/a" + "` + to + `/a/b" + "edict/a/c"`; !strings.Contains(string(text), want) {
			t.Errorf("a/a.go lacks %s:\n%s", want, text)
		}
		if strings.Index(string(text), `"embed"`) > strings.Index(string(text), to+`/a/b"`+"\n") {
			t.Errorf("imports are not sorted:\n%s", text)
		}
		run(t, dir, "go", "vet", "./...")
		run(t, filepath.Join(dir, "bench"), "go", "vet", "./...")
	}
}

func TestWrongPath(t *testing.T) {
	dir := tree(t)
	for _, to := range []string{"", "https://example.org/edict", "example.org/edict/", "example.org/edict/v2", "Example.org/a b"} {
		if _, err := rename(dir, to); err == nil || !strings.Contains(err.Error(), "write it like example.org/edict") {
			t.Errorf("%q: %v", to, err)
		}
	}
	if _, err := rename(t.TempDir(), "example.org/edict"); err == nil || !strings.Contains(err.Error(), "read the present module path") {
		t.Errorf("without go.mod: %v", err)
	}
}

// TestMake runs the documented command on a copy of this repository. By default it only lists the packages; the long mode builds and vets all modules.
func TestMake(t *testing.T) {
	dir := t.TempDir()
	copyTree(t, "../..", dir)
	run(t, dir, "make", "-s", "module", "PATH=example.org/edict")
	modules := []string{"."}
	for name := range walk(t, dir) {
		if filepath.Base(name) == "go.mod" && !strings.Contains(name, "testdata") && name != "go.mod" {
			modules = append(modules, filepath.Dir(name))
		}
	}
	for _, module := range modules {
		at := filepath.Join(dir, module)
		run(t, at, "go", "list", "-deps", "-test", "./...")
		if longtest.Enabled() {
			run(t, at, "go", "build", "./...")
			run(t, at, "go", "vet", "./...")
		}
	}
	for name := range walk(t, dir) {
		if !strings.HasSuffix(name, ".go") || strings.HasPrefix(name, "release/module/") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\n\t\"edict/") {
			t.Errorf("%s imports a package by the old path", name)
		}
	}
}

// walk yields the regular files of the repository in dir, without what Git and builds left there.
func walk(t *testing.T, dir string) map[string]fs.FileMode {
	t.Helper()
	files := map[string]fs.FileMode{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{".git", "node_modules", "bin", "dist"}, d.Name()) {
			return fs.SkipDir
		}
		if d.Type().IsRegular() {
			files[name] = d.Type().Perm()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	for name := range walk(t, from) {
		content, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		target := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(target, content, 0o700); err != nil {
			t.Fatal(err)
		}
	}
}
