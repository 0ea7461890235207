package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// Quote writes a text as a string of JSON, which is also one of JavaScript.
func Quote(s string) string {
	b, _ := json.Marshal(s) // a string: never fails
	return string(b)
}

// DocsBlock returns the one block of a language that a page of the docs shows.
func DocsBlock(t *testing.T, page, language string) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/" + page)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "```"+language+"\n")
	block, _, ok := strings.Cut(rest, "\n```\n")
	if !ok {
		t.Fatalf("docs/%s has no block of %s", page, language)
	}
	return block
}

// ReadFile returns what a file holds.
func ReadFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// UnpackCountry writes the files of an archive to a directory.
func UnpackCountry(t *testing.T, archive string) string {
	t.Helper()
	a, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := txtar.Write(a, dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// UnpackPolicy writes a PolicyEngine package with the name policyengine_ng, whose route is /ng/calculate. simulation is the path of that directory.
func UnpackPolicy(t *testing.T, simulation string) string {
	t.Helper()
	from := filepath.Join(simulation, "yamltest/testdata/policyengine/feature_policy")
	dir := filepath.Join(t.TempDir(), "policyengine_ng")
	err := filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(dir, name), 0o755)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, name), []byte(strings.ReplaceAll(string(text), "feature_policy", "policyengine_ng")), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
