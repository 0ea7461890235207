package cli_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// TestDocsLinksLead: a link to a file of the repository leads to one that exists, and its anchor to a heading of it.
func TestDocsLinksLead(t *testing.T) {
	checked := 0
	each(t, func(p page, line pageLine) (wrong []string) {
		if line.code {
			return nil
		}
		for _, m := range link.FindAllStringSubmatch(line.text, -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			checked++
			file, anchor, _ := strings.Cut(m[1], "#")
			target := p.file
			if file != "" {
				target = path.Join(path.Dir(p.file), file)
			}
			text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(target)))
			if info, statErr := os.Stat(filepath.Join("..", filepath.FromSlash(target))); statErr == nil && info.IsDir() {
				continue
			}
			switch {
			case err != nil:
				wrong = append(wrong, "there is no "+target+", which "+m[0]+" links to")
			case anchor != "" && !anchors(string(text))[anchor]:
				wrong = append(wrong, target+" has no heading #"+anchor)
			}
		}
		return wrong
	})
	if checked < 100 {
		t.Errorf("only %d links were looked at: the pattern does not see them any more", checked)
	}
}

var link = regexp.MustCompile(`\]\(([^()\s]+)\)`)

// anchors are those of the headings of a page, as GitHub makes them.
func anchors(text string) map[string]bool {
	found := map[string]bool{}
	for _, line := range pageLines(text) {
		if line.code || !strings.HasPrefix(line.text, "#") {
			continue
		}
		var b strings.Builder
		for _, c := range strings.ToLower(strings.TrimSpace(strings.TrimLeft(line.text, "#"))) {
			switch {
			case unicode.IsLetter(c), unicode.IsDigit(c), c == '-', c == '_':
				b.WriteRune(c)
			case c == ' ':
				b.WriteByte('-')
			}
		}
		found[b.String()] = true
	}
	return found
}

// TestDocsSize bounds the pages for users, so that a new section replaces text instead of adding to it.
func TestDocsSize(t *testing.T) {
	const most = 250 << 10
	sizes := map[string]int{}
	total := 0
	for _, p := range pages(t) {
		if strings.HasPrefix(p.file, "docs/") {
			text, err := os.ReadFile(filepath.Join("..", p.file))
			if err != nil {
				t.Fatal(err)
			}
			sizes[p.file] = len(text)
			total += len(text)
		}
	}
	if t.Logf("%d pages, %d bytes", len(sizes), total); total > most {
		t.Errorf("the pages below docs have %d bytes, the maximum is %d: shorten the longest. By page: %v", total, most, sizes)
	}
}

// TestDocsFigures: a figure of the README is on a page that the same line links to, and so is one of a user page whose line links to a benchmark.
func TestDocsFigures(t *testing.T) {
	checked := map[bool]int{}
	for _, p := range pages(t) {
		readme := p.file == "README.md"
		if !readme && !strings.HasPrefix(p.file, "docs/") {
			continue
		}
		for _, line := range p.lines {
			linked := ""
			for _, m := range link.FindAllStringSubmatch(line.text, -1) {
				file, _, _ := strings.Cut(m[1], "#")
				if text, err := os.ReadFile(filepath.Join("..", path.Dir(p.file), file)); err == nil && strings.HasSuffix(file, ".md") && (readme || strings.Contains(file, "internals/benchmarks/")) {
					linked += plainSpaces(string(text))
				}
			}
			if linked == "" {
				continue
			}
			for _, m := range figures.FindAllStringSubmatch(plainSpaces(line.text), -1) {
				checked[readme]++
				if !standsIn(linked, m[1]) {
					t.Errorf("%s:%d: the figure %q is not on a page that the line links to", p.file, line.number, m[1])
				}
			}
		}
	}
	if checked[true] < 8 || checked[false] < 8 {
		t.Errorf("only %v figures were found: has the pattern changed?", checked)
	}
}

// figures are numbers of three digits and more, and those with a point or a unit.
var figures = regexp.MustCompile(`(?:^|[ (|–])([0-9]{1,3}(?: [0-9]{3})+|[0-9]+\.[0-9]+(?: (?:ms|s|MB|GB))?|[0-9]+ (?:ms|s|min|MB|GB)|[0-9]{3,})\b`)

var grouped = regexp.MustCompile(`([0-9]),([0-9]{3})`)

// plainSpaces writes all numbers in one way: pages group digits by commas, or by spaces of several kinds.
func plainSpaces(text string) string {
	text = grouped.ReplaceAllString(text, "$1 $2")
	return strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2009", " ").Replace(text)
}

// standsIn reports whether a page has a figure, also without its unit, which a table has in its head.
func standsIn(page, figure string) bool {
	number := strings.TrimRight(figure, " msMGBin")
	return regexp.MustCompile(`(?:^|[^0-9.])` + regexp.QuoteMeta(number) + `(?:[^0-9.]|\.?\s|\.?$)`).MatchString(page)
}

// TestStartPageListsEveryPage: the start page of the documentation links to every page for users, so that the console leads to all of them.
func TestStartPageListsEveryPage(t *testing.T) {
	start, err := os.ReadFile("../docs/README.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../docs/*/*.md")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d pages: %v", len(files), err)
	}
	for _, file := range files {
		if name := strings.TrimPrefix(filepath.ToSlash(file), "../docs/"); !strings.Contains(string(start), "]("+name+")") {
			t.Errorf("docs/README.md has no link to %s", name)
		}
	}
}
