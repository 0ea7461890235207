package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// page is a page for people: those at the top, below docs and internals, and the READMEs of the clients.
type page struct {
	file  string // from the top of the repository
	lines []pageLine
}

// pageLine is a line of a page. Lines of a command that ends with a backslash are one.
type pageLine struct {
	number int
	text   string
	code   bool // inside a block of code, without what it is indented by
}

// pages reads all pages.
func pages(t *testing.T) []page {
	t.Helper()
	var all []page
	for _, pattern := range []string{"../*.md", "../docs/*.md", "../docs/*/*.md", "../internals/*.md", "../internals/*/*.md", "../clients/*/README.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d pages (%v)", pattern, len(files), err)
		}
		for _, file := range files {
			if filepath.Base(file) == "CHANGELOG.md" {
				continue // names what there was
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, page{strings.TrimPrefix(filepath.ToSlash(file), "../"), pageLines(string(text))})
		}
	}
	return all
}

func pageLines(text string) []pageLine {
	var lines []pageLine
	fenced, continued := false, false
	for i, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced, continued = !fenced, false
			continue
		}
		indented := strings.HasPrefix(line, "    ") && !listed.MatchString(line)
		if continued {
			last := &lines[len(lines)-1]
			last.text = strings.TrimSuffix(last.text, `\`) + " " + strings.TrimSpace(line)
		} else {
			lines = append(lines, pageLine{i + 1, strings.TrimPrefix(line, "    "), fenced || indented})
		}
		continued = (fenced || indented) && strings.HasSuffix(line, `\`)
	}
	return lines
}

// listed is an item of a list inside another list.
var listed = regexp.MustCompile(`^ +([-*]|[0-9]+\.) `)

// each calls check for every line of every page. What it returns is wrong there.
func each(t *testing.T, check func(p page, line pageLine) []string) {
	t.Helper()
	for _, p := range pages(t) {
		for _, line := range p.lines {
			for _, wrong := range check(p, line) {
				t.Errorf("%s:%d: %s", p.file, line.number, wrong)
			}
		}
	}
}

// texts are the parts of a line that are to be taken literally: a line of code, else what stands between backquotes.
func (l pageLine) texts() []string {
	if l.code {
		return []string{l.text}
	}
	var texts []string
	for _, span := range spans.FindAllStringSubmatch(l.text, -1) {
		texts = append(texts, span[1])
	}
	return texts
}
