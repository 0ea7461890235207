package docs_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"edict/e2e"
)

// block is a fenced block of a page: commands (sh), what the commands before it print (text, text stderr, or json, whose last line is compared by
// value), or a file with its name.
type block struct {
	line             int
	kind, name, text string
	follows          bool // it stands right behind commands
}

// pageBlocks returns the blocks of a page that walkThrough handles.
func pageBlocks(page string) []block {
	var all []block
	open, commands := false, false // inside a block; the block before this line holds commands
	for i, line := range strings.Split(page, "\n") {
		if fence, ok := strings.CutPrefix(line, "```"); ok {
			if open = !open; open {
				kind, name, _ := strings.Cut(fence, " ")
				all = append(all, block{line: i + 1, kind: kind, name: name, follows: commands})
			} else {
				commands = all[len(all)-1].kind == "sh"
			}
			continue
		}
		if open {
			all[len(all)-1].text += line + "\n"
		} else {
			commands = false
		}
	}
	return slices.DeleteFunc(all, func(b block) bool { return b.kind != "sh" && !b.isOutput() && !b.isFile() })
}

func (b block) isOutput() bool {
	return b.follows && (b.kind == "text" || b.kind == "json" && b.name == "")
}

func (b block) isFile() bool { return !b.isOutput() && b.kind != "sh" && strings.Contains(b.name, ".") }

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

// TestWalkThroughSimulation runs the commands of the pages about simulation.
func TestWalkThroughSimulation(t *testing.T) {
	server := e2e.StartBinary(t, "--only", "simulation")
	e2e.AwaitReady(t, server.URL)
	for file, least := range map[string]int{
		"docs/start/simulation.md":         5,
		"docs/guides/law.md":               1,
		"docs/guides/packages.md":          2,
		"docs/guides/reforms.md":           4,
		"docs/reference/simulation-api.md": 2,
		"docs/reference/why.md":            2,
	} {
		t.Run(path.Base(file), func(t *testing.T) { walkThrough(t, file, least, server) })
	}
}

// TestWalkThroughLaw writes the law of docs/start/own-law.md, file by file, and runs the commands of the page.
func TestWalkThroughLaw(t *testing.T) { walkThrough(t, "docs/start/own-law.md", 6, nil) }

// TestWalkThroughSurvey follows docs/start/own-survey.md.
func TestWalkThroughSurvey(t *testing.T) { walkThrough(t, "docs/start/own-survey.md", 3, nil) }

// TestWalkThroughPopulations runs the commands of the guides to populations. The second one uses files of the first.
func TestWalkThroughPopulations(t *testing.T) {
	walkThrough(t, "docs/guides/population.md docs/guides/population-jobs.md", 6, nil)
}

// TestWalkThroughBackend runs the commands of the pages about users and clients.
func TestWalkThroughBackend(t *testing.T) {
	walkThrough(t, "docs/guides/backend-sign-in.md docs/reference/identity.md", 8, e2e.StartBinary(t))
}

// TestWalkThroughWatches runs the commands of docs/guides/watches.md.
func TestWalkThroughWatches(t *testing.T) {
	server := e2e.StartBinary(t, "--watch")
	e2e.AwaitReady(t, server.URL)
	walkThrough(t, "docs/guides/watches.md", 4, server)
}

// walkThrough runs the commands of pages in one shell and one directory, and compares what the pages show: files, the output of commands as blocks
// "text" and "text stderr" have it, and the last line as a block "json" has it, by value. It fails if there are fewer blocks of commands than least.
func walkThrough(t *testing.T, files string, least int, server *e2e.Process) {
	t.Helper()
	e2e.NeedCommands(t, "sh", "curl")
	url, env := "http://127.0.0.1:8080", []string(nil)
	if server != nil {
		url, env = server.URL, []string{"EDICT_DATA=" + server.Data}
	}
	const mark = "-- end of block --"
	script := "set -eu\nunset EDICT_AXE EDICT_BROWSER EDICT_POSTGRES EDICT_TESTS\ncommand -v parallel >/dev/null || parallel() { cat >/dev/null; }\n"
	printed, commands := 0, 0        // parts of the output, blocks of commands
	checks := map[int]func(string){} // of the parts
	for file := range strings.FieldsSeq(files) {
		page, err := os.ReadFile(filepath.Join("..", "..", file))
		if err != nil {
			t.Fatal(err)
		}
		all := append(pageBlocks(string(page)), block{})
		for i, b := range all[:len(all)-1] {
			switch shown := all[i+1]; {
			case b.isFile():
				script += "mkdir -p " + path.Dir(b.name) + "\ncat >.shown <<'END OF FILE'\n" + b.text + "END OF FILE\n" +
					"if [ -e " + b.name + " ]; then diff -u " + b.name + " .shown >&2; else mv .shown " + b.name + "; fi\n"
			case b.kind == "sh":
				commands++
				text := strings.ReplaceAll(b.text, "http://127.0.0.1:8080", url)
				switch {
				case !shown.isOutput():
				case shown.kind == "json":
					text = "{\n" + text + "} || true\n" // a page may show a refusal; the answer is compared
				case shown.name == "stderr":
					text = "{\n" + text + "} 2>.stderr >/dev/null\ncat .stderr\n"
				}
				script += text + "echo; echo '" + mark + "'\n"
				printed++
			case b.isOutput():
				checks[printed-1] = func(out string) { b.compare(t, file, strings.ReplaceAll(out, url, "http://127.0.0.1:8080")) }
			}
		}
	}
	if commands < least {
		t.Fatalf("%s: %d blocks of commands; has the form changed?", files, commands)
	}
	for i, out := range strings.Split(e2e.Shell(t, script, env...), "\n"+mark+"\n") {
		if check := checks[i]; check != nil {
			check(out)
		}
	}
}

// compare reports where the output of commands differs from the block that shows it.
func (b block) compare(t *testing.T, file, out string) {
	t.Helper()
	if b.kind == "text" {
		if out != b.text {
			t.Errorf("%s:%d shows\n%s\nthe commands print\n%s", file, b.line, b.text, out)
		}
		return
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if err := sameShape(b.text, lines[len(lines)-1]); err != nil {
		t.Errorf("%s:%d: %v\nthe answer is %s", file, b.line, err, lines[len(lines)-1])
	}
}

// TestDemo pastes what serve --demo prints, every line of it.
func TestDemo(t *testing.T) {
	e2e.NeedCommands(t, "sh", "curl")
	server := e2e.StartBinary(t, "--demo")
	var script strings.Builder
	calls, stream, watched := 0, e2e.Quote(filepath.Join(t.TempDir(), "stream")), e2e.Quote(filepath.Join(t.TempDir(), "watched"))
	for line := range strings.Lines(e2e.AwaitText(t, server.Stderr, "Stop with Ctrl-C")) {
		if name, _, ok := strings.Cut(line, "="); ok && name == strings.ToUpper(name) || strings.HasPrefix(line, "curl ") {
			if watch, ok := strings.CutPrefix(line, "curl -N "); ok && calls == 2 {
				// After the tokens and before all other commands, which it accompanies.
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
		if w == "…" {
			return nil // the page leaves the value out
		}
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

// TestPageBlocks: only output that stands right behind commands belongs to them, and a file has a name.
func TestPageBlocks(t *testing.T) {
	got := pageBlocks("a\n```sh\nx\ny\n```\n```json\n{}\n```\n```sh\nz\n```\n\n```json\n[]\n```\n```json a.json\n1\n```\n```text\n2\n```\n")
	want := []block{{2, "sh", "", "x\ny\n", false}, {6, "json", "", "{}\n", true}, {9, "sh", "", "z\n", false}, {16, "json", "a.json", "1\n", false}}
	if !slices.Equal(got, want) {
		t.Errorf("blocks are %+v, want %+v", got, want)
	}
}
