package simulation_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// The corpus of TestOpenFisca: paths, whole situations, and places of a situation into which periods and values are put.

type corpusRequest struct{ name, method, path, body string }

type corpusAnswer struct {
	status int
	header http.Header
	text   string
}

func corpus(t *testing.T) []corpusRequest {
	t.Helper()
	var all []corpusRequest
	for _, path := range corpusLines(t, "paths.txt") {
		all = append(all, corpusRequest{"GET " + path, http.MethodGet, path, ""})
	}
	add := func(name, body string) {
		all = append(all, corpusRequest{"calculate " + name, http.MethodPost, "/calculate", body}, corpusRequest{"trace " + name, http.MethodPost, "/trace", body})
	}
	for _, file := range []string{"situations.txtar", "odd.txtar"} {
		for _, f := range corpusFiles(t, file) {
			add(f.Name, string(f.Data))
		}
	}
	for _, f := range corpusFiles(t, "places.txtar") {
		word, lines := "VALUE", corpusLines(t, "values.txt")
		if strings.Contains(string(f.Data), "PERIOD") {
			word, lines = "PERIOD", corpusLines(t, "periods.txt")
		}
		for _, line := range lines {
			add(f.Name+" "+line, strings.ReplaceAll(string(f.Data), word, line))
		}
	}
	return all
}

func corpusFiles(t *testing.T, name string) []txtar.File {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata/openfisca", name))
	if err != nil {
		t.Fatal(err)
	}
	for i := range archive.Files {
		archive.Files[i].Data = []byte(strings.TrimSuffix(string(archive.Files[i].Data), "\n"))
	}
	return archive.Files
}

func corpusLines(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata/openfisca", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}
