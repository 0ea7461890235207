package cli_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// TestGlossary: each word of the glossary is part of the identifier that stands for it, which exists, and words that went do not come
// back in identifiers.
func TestGlossary(t *testing.T) {
	text, err := os.ReadFile("../internals/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	ours, gone, _ := strings.Cut(string(text), "## Words that went")
	h := readHouse(t, "..")
	words := glossaryRows(ours)
	if len(words) < 50 || !slices.IsSortedFunc(words, func(a, b []string) int { return strings.Compare(a[0], b[0]) }) {
		t.Errorf("%d words, which are not in order or of which the test sees too few", len(words))
	}
	for _, row := range words {
		name := strings.Split(strings.Trim(row[2], "`"), ".")
		for _, part := range name[1:] {
			if !h.declared[name[0]][part] {
				t.Errorf("%s: package %s declares no %s", row[0], name[0], part)
			}
		}
		if !strings.Contains(strings.ToLower(strings.Join(name, " ")), row[0]) {
			t.Errorf("%s is no part of %s, which is to stand for it", row[0], row[2])
		}
	}
	for _, row := range glossaryRows(gone) {
		for pkg, names := range h.declared {
			if row[2] != "everywhere" && !strings.Contains(row[2], "`"+pkg+"`") {
				continue
			}
			for name := range names {
				if slices.Contains(wordsOf(name), row[0]) {
					t.Errorf("package %s declares %s: say %s", pkg, name, row[1])
				}
			}
		}
	}
}

var glossaryRow = regexp.MustCompile(`(?m)^\| ([a-z0-9-]+) \| (.+) \| (.+) \|$`)

// glossaryRows are the rows of a table but its head: word, meaning, where.
func glossaryRows(text string) (rows [][]string) {
	for _, m := range glossaryRow.FindAllStringSubmatch(text, -1) {
		if m[1] != "word" {
			rows = append(rows, m[1:])
		}
	}
	return rows
}

// wordsOf are the words of an identifier in small letters, and each without a final s.
func wordsOf(name string) (words []string) {
	add := func(word string) {
		word = strings.ToLower(word)
		words = append(words, word, strings.TrimSuffix(word, "s"))
	}
	start := 0
	for i, c := range name {
		if i > start && unicode.IsUpper(c) {
			add(name[start:i])
			start = i
		}
	}
	add(name[start:])
	return words
}
