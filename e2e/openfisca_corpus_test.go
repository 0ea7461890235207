package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
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

// otherwise are the requests whose answers differ on purpose, by name, with the reason.
var otherwise = []struct{ name, reason string }{
	{`^(household postal_code 2017-01|string out)$`, "the reference writes bytes as Python does, b''"},
	{`[０-９]`, "periods and numbers are written in ASCII"},
	{`9{20}`, "a period has at most 2147483647 units"},
	{`^(number|number of a year|integer|enumeration) \[1\]$`, "a list of one value stands for the value, which depends on the version of numpy there"},
	{`^enumeration -?\d`, "a number that is none of an enumeration is refused"},
	{`^date `, "a date is a day of the years 1 to 9999, written with four digits for the year"},
	{`^axis for `, "the period of an axis may be written in any form"},
	{`^(nan|-?infinity)$`, "NaN and Infinity are no JSON"},
	{`^1e999$`, "what is too large for any number comes back as it was sent"},
	{`^(ids|wrong values of|nobody is called|no variable is called|no entity is called) ("a/b"|"") `, "an id may hold a slash or be empty"},
	{`^lone surrogate esc$`, "half of a surrogate pair is no text"},
	{`^deep$`, "a document is at most 100 levels deep"},
	{`^(axes|the axes are|an axis is|an axis begins at|an axis varies|an axis is of) `, "axes that make no sense are refused, with their place"},
}

// permitted reports whether a request may be answered otherwise than by the reference.
func permitted(c corpusRequest) bool {
	_, name, _ := strings.Cut(c.name, " ")
	for _, row := range otherwise {
		if c.method == http.MethodPost && regexp.MustCompile(row.name).MatchString(name) {
			return true
		}
	}
	return false
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
