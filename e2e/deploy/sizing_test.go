package deploy_test

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const sizing = "docs/guides/sizing.md"

var (
	figureRow  = regexp.MustCompile(`(?m)^\| [^|]+ \| ([0-9.–]+) [^|]* \| \[[^]]+\]\(([^)]+)\) \|$`)
	figureLink = regexp.MustCompile(`\[([0-9.,]+)[^]]*\]\(([^)]+)\)`)
	filesRow   = regexp.MustCompile(`(?m)^\| ([0-9,]+)[^|]* \| ([0-9,]+) \| ([0-9,]+) \|$`)
)

// TestSizing: every figure of the page is on the page that it links to.
func TestSizing(t *testing.T) {
	page := read(t, sizing)
	figures := append(figureRow.FindAllStringSubmatch(page, -1), figureLink.FindAllStringSubmatch(page, -1)...)
	if len(figures) < 12 {
		t.Fatalf("only %d figures were found", len(figures))
	}
	for _, found := range figures {
		target := path.Join(path.Dir(sizing), found[2])
		figure := strings.ReplaceAll(found[1], ",", "")
		recorded := strings.NewReplacer("1 157", "1157", ",", "").Replace(read(t, target))
		if !strings.Contains(recorded, figure) {
			t.Errorf("%s is not on %s", found[1], target)
		}
	}
}

// TestConnectionsOfFiles: the table follows the rule that the page states.
func TestConnectionsOfFiles(t *testing.T) {
	rows := filesRow.FindAllStringSubmatch(read(t, sizing), -1)
	if len(rows) != 3 {
		t.Fatalf("%d rows", len(rows))
	}
	number := func(text string) int {
		n, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, row := range rows {
		files := number(row[1])
		connections := files - min(max(files/8, 64), 1024)
		streams := connections - min(max(connections/4, 128), connections/2)
		if got, want := fmt.Sprint(number(row[2]), number(row[3])), fmt.Sprint(connections, streams); got != want {
			t.Errorf("%d files: the page has %s, the rule gives %s", files, got, want)
		}
	}
}
