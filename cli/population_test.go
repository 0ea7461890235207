package cli_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"edict/cli"
)

var fence = regexp.MustCompile("(?ms)^```(csv|sh) ?(\\S*)\n(.*?)^```$")

// TestPopulationPage follows docs/population.md: the first file is given, commands are run, the other files are compared.
func TestPopulationPage(t *testing.T) {
	page, err := os.ReadFile("../docs/population.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	commands := 0
	for _, block := range fence.FindAllStringSubmatch(string(page), -1) {
		kind, name, text := block[1], block[2], block[3]
		if kind == "sh" {
			commands++
			follow(t, strings.Fields(text)[1:])
			continue
		}
		got, err := os.ReadFile(name)
		if commands == 0 {
			err = os.WriteFile(name, []byte(text), 0o600)
			got = []byte(text)
		}
		if err != nil || string(got) != text {
			t.Errorf("%s (%v):\n%s\nthe page says\n%s", name, err, got, text)
		}
	}
	if commands < 2 {
		t.Errorf("the page has %d commands", commands)
	}
	left, err := filepath.Glob("*")
	if err != nil || len(left) != 4 {
		t.Errorf("files: %v (%v)", left, err)
	}
}

func follow(t *testing.T, args []string) {
	t.Helper()
	var out, wrong bytes.Buffer
	status := cli.Run(context.Background(), args, &cli.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &wrong, Now: time.Now})
	if status != 0 {
		t.Fatalf("edict %s: status %d\n%s", strings.Join(args, " "), status, wrong.String())
	}
}
