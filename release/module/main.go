// Command module renames the Go modules of this repository: "make module PATH=example.org/edict".
//
// It reads the present path from go.mod and replaces it in every text file below the directory: in go.mod files, and wherever a
// package of the module is named by its import path (imports, documentation links, shell scripts, pages). Other uses of the word
// stay, because a name counts only if the repository has a package there.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	dir := flag.String("dir", ".", "root of the repository")
	flag.Parse()
	if flag.NArg() != 1 {
		fail(errors.New("usage: module [-dir DIR] NEW-PATH, such as example.org/edict"))
	}
	changed, err := rename(*dir, flag.Arg(0))
	if err != nil {
		fail(err)
	}
	fmt.Printf("%d files changed; go build ./... checks them\n", changed)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "module:", err)
	os.Exit(1)
}

var (
	modulePath   = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]*(/[A-Za-z0-9_.~-]+)*$`)
	majorVersion = regexp.MustCompile(`/v[0-9]+$`)
	moduleLine   = regexp.MustCompile(`(?m)^module[ \t]+(\S+)`)
)

// rename gives the module in dir another path and returns the number of files that it changed.
func rename(dir, to string) (int, error) {
	if !modulePath.MatchString(to) || majorVersion.MatchString(to) {
		return 0, fmt.Errorf("%q is not a module path: write it like example.org/edict, without a version", to)
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return 0, fmt.Errorf("read the present module path: %w", err)
	}
	found := moduleLine.FindSubmatch(mod)
	if found == nil {
		return 0, fmt.Errorf("%s has no module line", filepath.Join(dir, "go.mod"))
	}
	r := renaming{from: string(found[1]), to: to, packages: map[string]bool{}}
	files, err := r.list(dir)
	if err != nil {
		return 0, err
	}
	r.mention = regexp.MustCompile(`(^|[^A-Za-z0-9_./-])` + regexp.QuoteMeta(r.from) + `/([A-Za-z0-9_/]+)`)
	changed := 0
	for _, name := range files {
		done, err := r.file(filepath.Join(dir, name))
		if err != nil {
			return changed, fmt.Errorf("%s: %w", name, err)
		}
		if done {
			changed++
		}
	}
	return changed, nil
}

// renaming holds the two paths and the packages that the module has.
type renaming struct {
	from, to string
	packages map[string]bool // directories with Go files, relative to the root
	mention  *regexp.Regexp
}

// list returns the files below dir and records the packages. Directories of Git, of installed libraries and of built programs are left out.
func (r *renaming) list(dir string) ([]string, error) {
	var files []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains([]string{".git", "node_modules", "bin", "dist"}, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if d.Type().IsRegular() {
			files = append(files, name)
			if strings.HasSuffix(name, ".go") {
				r.packages[path.Dir(name)] = true
			}
		}
		return nil
	})
	return files, err
}

// maxText is larger than every text file of the repository that can name a package; larger files are data.
const maxText = 2 << 20

// file rewrites one file and reports whether it changed.
func (r *renaming) file(name string) (bool, error) {
	info, err := os.Stat(name)
	if err != nil || info.Size() > maxText {
		return false, err
	}
	old, err := os.ReadFile(name)
	if err != nil || bytes.IndexByte(old, 0) >= 0 {
		return false, err
	}
	content := r.mentions(old)
	if filepath.Base(name) == "go.mod" {
		content = r.goMod(old)
	}
	if bytes.Equal(content, old) {
		return false, nil
	}
	if strings.HasSuffix(name, ".go") { // imports are sorted by path
		if content, err = format.Source(content); err != nil {
			return false, err
		}
	}
	if err := os.WriteFile(name, content, info.Mode().Perm()); err != nil || filepath.Base(name) != "go.mod" {
		return true, err
	}
	if out, err := exec.Command("go", "mod", "edit", "-fmt", name).CombinedOutput(); err != nil { // requirements are sorted by path
		return true, fmt.Errorf("go mod edit -fmt: %w: %s", err, out)
	}
	return true, nil
}

// mentions replaces the path wherever a package of the module follows it.
func (r *renaming) mentions(text []byte) []byte {
	return r.mention.ReplaceAllFunc(text, func(match []byte) []byte {
		parts := r.mention.FindSubmatch(match)
		if !r.packages[string(parts[2])] {
			return match
		}
		return slices.Concat(parts[1], []byte(r.to), []byte("/"), parts[2])
	})
}

var word = regexp.MustCompile(`[^\s]+`)

// goMod replaces the path where it is a whole word of go.mod: in module, require, replace and tool lines.
func (r *renaming) goMod(text []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		code, _, _ := bytes.Cut(line, []byte("//"))
		out.Write(word.ReplaceAllFunc(code, func(w []byte) []byte {
			if s := string(w); s == r.from || strings.HasPrefix(s, r.from+"/") {
				return []byte(r.to + strings.TrimPrefix(s, r.from))
			}
			return w
		}))
		out.Write(line[len(code):])
	}
	return out.Bytes()
}
