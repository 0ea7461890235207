package docs_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"edict/e2e"
)

// step is a block of commands of a page, with the answer it shows, if any.
type step struct {
	line    int
	script  string
	example string
}

// steps returns the blocks ```sh of a page; a block ```json right behind one is its answer.
func steps(page string) []step {
	var all []step
	var block *string
	follows := false // a block of commands has just ended
	for i, line := range strings.Split(page, "\n") {
		switch {
		case line == "```" && block != nil:
			follows, block = block == &all[len(all)-1].script, nil
		case block != nil:
			*block += line + "\n"
		case line == "```sh":
			all = append(all, step{line: i + 1})
			block = &all[len(all)-1].script
		case line == "```json" && follows:
			block, follows = &all[len(all)-1].example, false
		default:
			follows = false
		}
	}
	return all
}

// TestWalkThrough runs the commands of docs/start/messaging.md against the released program.
func TestWalkThrough(t *testing.T) {
	walkThrough(t, "docs/start/messaging.md", 10, e2e.StartBinary(t))
}

// TestWalkThroughReadme runs the request of the README against the embedded legislation.
func TestWalkThroughReadme(t *testing.T) {
	server := e2e.StartBinary(t, "--only", "simulation")
	e2e.AwaitReady(t, server.URL)
	walkThrough(t, "README.md", 1, server)
}

// TestWalkThroughSimulation runs the commands of docs/start/simulation.md and docs/reference/why.md.
func TestWalkThroughSimulation(t *testing.T) {
	server := e2e.StartBinary(t, "--only", "simulation")
	e2e.AwaitReady(t, server.URL)
	walkThrough(t, "docs/start/simulation.md", 8, server)
	walkThrough(t, "docs/reference/why.md", 1, server)
}

// TestWalkThroughBackend runs the commands of docs/guides/backend-sign-in.md.
func TestWalkThroughBackend(t *testing.T) {
	walkThrough(t, "docs/guides/backend-sign-in.md", 6, e2e.StartBinary(t))
}

// TestWalkThroughReforms runs the commands of docs/guides/reforms.md.
func TestWalkThroughReforms(t *testing.T) {
	server := e2e.StartBinary(t, "--only", "simulation")
	e2e.AwaitReady(t, server.URL)
	walkThrough(t, "docs/guides/reforms.md", 4, server)
}

// walkThrough runs the commands of a page in one shell, and compares the last answer of each block with the one the page
// shows.
func walkThrough(t *testing.T, file string, least int, server *e2e.Process) {
	t.Helper()
	e2e.NeedCommands(t, "sh", "curl")
	page, err := os.ReadFile(filepath.Join("..", "..", file))
	if err != nil {
		t.Fatal(err)
	}
	all := steps(string(page))
	if len(all) < least {
		t.Fatalf("the page has %d blocks of commands; has its form changed?", len(all))
	}
	const mark = "-- end of block --"
	script := "set -eu\n"
	for _, s := range all {
		block := strings.ReplaceAll(s.script, "http://127.0.0.1:8080", server.URL)
		if s.example != "" {
			block = "{\n" + block + "} || true\n" // a page may show a refusal; the answer is compared
		}
		script += block + "echo; echo '" + mark + "'\n"
	}
	out := e2e.Shell(t, script, "EDICT_DATA="+server.Data)
	answers := strings.Split(out, mark+"\n")
	for i, s := range all {
		if s.example == "" {
			continue
		}
		lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(answers[i], server.URL, "http://127.0.0.1:8080")), "\n")
		if err := sameShape(s.example, lines[len(lines)-1]); err != nil {
			t.Errorf(file+":%d: %v\nthe answer is %s", s.line, err, lines[len(lines)-1])
		}
	}
}

// TestDemo pastes what serve --demo prints, every line of it.
func TestDemo(t *testing.T) {
	e2e.NeedCommands(t, "sh", "curl")
	server := e2e.StartBinary(t, "--demo")
	var script strings.Builder
	calls, stream, watched := 0, e2e.Quote(filepath.Join(t.TempDir(), "stream")), e2e.Quote(filepath.Join(t.TempDir(), "watched"))
	for line := range strings.Lines(e2e.AwaitText(t, server.Stderr, "Ctrl-C ends")) {
		if name, _, ok := strings.Cut(line, "="); ok && name == strings.ToUpper(name) || strings.HasPrefix(line, "curl ") {
			if watch, ok := strings.CutPrefix(line, "curl -N "); ok && calls == 2 {
				// Behind the tokens, first of all: it runs on beside the others.
				line = "curl -sN " + strings.TrimSpace(watch) + " >" + stream + " &\nfirst=$!\nuntil grep -q 'event: ready' " + stream + "; do sleep 0.05; done\n"
			}
			if watch := strings.TrimSpace(line); strings.HasPrefix(watch, "EDICT_TOKEN=") {
				line = watch + " >" + watched + " &\nsubscribed=$!\n"
			}
			script.WriteString(line)
			calls++
		}
	}
	if !strings.Contains(script.String(), "edict subscribe") {
		t.Error("edict subscribe is not among the commands")
	}
	// The item may have been published before edict subscribe listened: it is published until it is shown.
	script.WriteString("until grep -q 'Hello, Grace' " + stream + "; do sleep 0.05; done\nkill $first\n" +
		"until grep -q 'Hello, Grace' " + watched + "; do EDICT_TOKEN=$ADA edict publish --url " + server.URL + " chat text='Hello, Grace' >/dev/null; sleep 0.05; done\nkill $subscribed\n")
	if calls < 8 {
		t.Fatalf("there is little to paste:\n%s", server.Stderr())
	}
	out := e2e.Shell(t, "set -eu\n"+script.String())
	for _, want := range []string{`"messageId"`, `"Is anybody here?"`, `"recipientUsername":"grace"`, `"Welcome to the demonstration"`} {
		if !strings.Contains(out, want) {
			t.Errorf("the answers have no %s:\n%s", want, out)
		}
	}
}

// TestDemoIsLocal: a server that prints tokens must not be reached from elsewhere.
func TestDemoIsLocal(t *testing.T) {
	out, err := exec.Command(e2e.Binary(t), "serve", "--demo", "--listen", "0.0.0.0:0", "--data", t.TempDir()).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "loopback") {
		t.Errorf("%v, %s; want a refusal", err, out)
	}
}

// sameShape compares two JSON texts: the same keys and values, where times and ids need only look alike.
func sameShape(want, got string) error {
	var w, g any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		return fmt.Errorf("the example is not JSON: %w", err)
	}
	if err := json.Unmarshal([]byte(got), &g); err != nil {
		return fmt.Errorf("the answer is not JSON: %w", err)
	}
	return alike("answer", w, g)
}

var idLike = regexp.MustCompile(`^[0-9a-z]{20,}$`)

func alike(at string, want, got any) error {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok || len(g) != len(w) {
			return fmt.Errorf("%s: the page shows %v, the server says %v", at, want, got)
		}
		for key := range w {
			if err := alike(at+"."+key, w[key], g[key]); err != nil {
				return err
			}
		}
		return nil
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return fmt.Errorf("%s: the page shows %v, the server says %v", at, want, got)
		}
		for i := range w {
			if err := alike(fmt.Sprintf("%s[%d]", at, i), w[i], g[i]); err != nil {
				return err
			}
		}
		return nil
	case string:
		begin, cut := strings.CutSuffix(w, "…")
		if g, ok := got.(string); ok && (g == w || cut && strings.HasPrefix(g, begin) || idLike.MatchString(w) && idLike.MatchString(g) || isTime(w) && isTime(g)) {
			return nil
		}
	default:
		if want == got {
			return nil
		}
	}
	return fmt.Errorf("%s: the page shows %v, the server says %v", at, want, got)
}

func isTime(s string) bool {
	_, err := time.Parse(time.RFC3339, s)
	return err == nil
}

// TestSteps: blocks are found, and only an answer that follows at once belongs to its commands.
func TestSteps(t *testing.T) {
	got := steps("a\n```sh\nx\ny\n```\n```json\n{}\n```\n```sh\nz\n```\n\n```json\n[]\n```\n")
	want := []step{{2, "x\ny\n", "{}\n"}, {9, "z\n", ""}}
	if !slices.Equal(got, want) {
		t.Errorf("steps are %+v, want %+v", got, want)
	}
}

// TestWalkThroughWatches runs the commands of docs/guides/watches.md.
func TestWalkThroughWatches(t *testing.T) {
	server := e2e.StartBinary(t, "--watch")
	e2e.AwaitReady(t, server.URL)
	walkThrough(t, "docs/guides/watches.md", 4, server)
}
