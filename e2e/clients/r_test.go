package clients_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"edict/e2e"
)

var (
	rscript = flag.String("rscript", "", "run docs/guides/r.md with this Rscript, which has httr2")
	rArrow  = flag.Bool("r-arrow", false, "that Rscript has arrow too")
)

// TestR runs the code of docs/guides/r.md, in one session, and compares what each block prints with what the page shows.
func TestR(t *testing.T) {
	if *rscript == "" {
		t.Skip("no R: give -rscript COMMAND")
	}
	const file, mark = "../../docs/guides/r.md", "-- end of block --"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	blocks := rBlocks(string(page))
	if len(blocks) < 6 {
		t.Fatalf("the page has %d blocks of R; has its form changed?", len(blocks))
	}
	var script strings.Builder
	for _, b := range blocks {
		if b.arrow && !*rArrow {
			t.Logf("%s:%d: NOT RUN: arrow is not installed", file, b.line)
		} else {
			script.WriteString(b.script)
		}
		script.WriteString("cat('\\n" + mark + "\\n')\n")
	}
	server := e2e.StartBinary(t)
	e2e.AwaitReady(t, server.URL)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "page.R"), []byte(script.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), *rscript, "page.R")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "EDICT_URL="+server.URL, "EDICT_TOKEN="+e2e.Tokens(server.Data)(t, "admin"), "LC_ALL=C.UTF-8")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, &stderr)
	}
	printed := strings.Split(string(out), mark+"\n")
	for i, b := range blocks {
		if got := strings.Trim(printed[i], "\n"); got != strings.Trim(b.output, "\n") && (!b.arrow || *rArrow) {
			t.Errorf("%s:%d prints\n%s\nand the page shows\n%s", file, b.line, got, b.output)
		}
	}
}

// rBlock is a block of R of a page, with what it prints.
type rBlock struct {
	line           int
	arrow          bool // needs arrow
	script, output string
}

// rBlocks returns the blocks ```r of a page, and those of ```r arrow; a block ```text behind one is what it prints.
func rBlocks(page string) []rBlock {
	var all []rBlock
	var block *string
	for i, line := range strings.Split(page, "\n") {
		switch {
		case line == "```":
			block = nil
		case block != nil:
			*block += line + "\n"
		case line == "```r", line == "```r arrow":
			all = append(all, rBlock{line: i + 1, arrow: line != "```r"})
			block = &all[len(all)-1].script
		case line == "```text" && len(all) > 0:
			block = &all[len(all)-1].output
		}
	}
	return all
}
