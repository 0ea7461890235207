package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"edict/e2e"
)

// pageBlock is a block of docs/guides/population.md that is a file with a name, or commands.
var pageBlock = regexp.MustCompile("(?ms)^```(csv|yaml|sh|bash) ?(\\S*)\n(.*?)^```$")

// TestPopulationPageCommands pastes all commands of docs/guides/population.md into a shell, one after the other, in a directory that is empty
// but for the files that the page shows before them.
func TestPopulationPageCommands(t *testing.T) {
	e2e.NeedCommands(t, "sh", "seq", "xargs")
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "guides", "population.md"))
	if err != nil {
		t.Fatal(err)
	}
	script, commands := "set -eux\n", 0
	for _, block := range pageBlock.FindAllStringSubmatch(string(page), -1) {
		kind, name, text := block[1], block[2], block[3]
		switch {
		case kind == "sh" || kind == "bash":
			script += text
			commands += strings.Count(text, "edict population")
		case name != "" && (kind == "yaml" || commands == 0):
			script += "cat >" + name + " <<'END'\n" + text + "END\n"
		}
	}
	if _, err := exec.LookPath("parallel"); err != nil {
		script = regexp.MustCompile(`(?m)^seq 16 \| parallel .*\n`).ReplaceAllString(script, "")
	}
	if commands < 11 {
		t.Errorf("the page has %d commands; has its form changed?", commands)
	}
	out := e2e.Shell(t, script+"ls\n")
	for _, file := range []string{"households.csv", "result.individu.csv", "report.json", "now.csv", "reform.csv", "3.csv"} {
		if !strings.Contains(out, "\n"+file+"\n") {
			t.Errorf("%s is missing:\n%s", file, out)
		}
	}
}
