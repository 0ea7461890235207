package cli_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"edict/cli"
	"edict/platform/web"
)

// TestDocsCallWhatExists: a command line of edict, of make or of a benchmark on a page names commands, flags, targets and directories that
// exist, wherever it stands; each flag is one of the command it is given to. Variables of settings exist too.
func TestDocsCallWhatExists(t *testing.T) {
	h := readHouse(t, "..")
	checked := 0
	each(t, func(_ page, line pageLine) (wrong []string) {
		for _, text := range line.texts() {
			for _, call := range calls(text, line.code) {
				checked++
				wrong = append(wrong, checkCall(call)...)
			}
			if line.code { // spans are looked at by TestDocsNameWhatExists
				problems, looked := h.checkProgram(text)
				checked += looked
				wrong = append(wrong, problems...)
			}
		}
		for _, name := range variable.FindAllString(line.text, -1) {
			checked++
			if !h.reads(name) {
				wrong = append(wrong, "nothing reads "+name)
			}
		}
		return wrong
	})
	if checked < 200 {
		t.Errorf("only %d calls were looked at: the patterns do not see them any more", checked)
	}
}

// separators end a command of a shell.
var separators = regexp.MustCompile(`\s*(?:\||;|&&|&|\$\(|\)| #|>|<\()\s*`)

// calls are the words behind "edict" of each command of edict in a text. In prose a call is a span of its own.
func calls(text string, code bool) (found [][]string) {
	for _, command := range separators.Split(" "+text, -1) {
		words := strings.Fields(command)
		at := slices.IndexFunc(words, func(word string) bool { return word == "edict" || word == "bin/edict" || word == "./edict" })
		if at < 0 || at+1 == len(words) || at > 0 && !code {
			continue
		}
		_, known := cli.Root().Below(words[at+1])
		first := at == 0 || assignment.MatchString(words[at-1]) || words[at-1] == "$"
		if known || first && !strings.HasPrefix(words[at+1], "-") && words[at+1] != "listening" { // serve prints that
			found = append(found, words[at+1:])
		}
	}
	return found
}

var (
	assignment = regexp.MustCompile(`^[A-Z_]+=`)
	word       = regexp.MustCompile(`^[a-z][a-z-]*$`)
	flagWord   = regexp.MustCompile("^[\\[(\"'`]*(--[a-z][a-z0-9-]*|-[a-zA-Z])(?:[=\\])\"'`,.:;…]|$)")
)

// checkCall walks down to the command of a call, and looks up its flags.
func checkCall(words []string) (wrong []string) {
	command, path := cli.Root(), "edict"
	for len(words) > 0 && command.IsGroup() {
		if !word.MatchString(words[0]) {
			break // a pattern, or a list of commands
		}
		below, ok := command.Below(words[0])
		if !ok {
			return []string{fmt.Sprintf("there is no command %q", path+" "+words[0])}
		}
		command, path, words = below, path+" "+words[0], words[1:]
	}
	if below, ok := cli.Command.Below(command, first(words)); ok {
		command, path, words = below, path+" "+words[0], words[1:]
	}
	for _, w := range words {
		if w == "--" {
			break
		}
		m := flagWord.FindStringSubmatch(w)
		if m != nil && !strings.HasPrefix(strings.TrimPrefix(w, m[1]), "…") && !strings.HasSuffix(m[1], "-") && m[1] != "-h" && m[1] != "--help" && !command.Takes(m[1]) {
			wrong = append(wrong, fmt.Sprintf("%s has no flag %s", path, m[1]))
		}
	}
	return wrong
}

func first(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

// TestDocsFlagsExist: a flag that stands in prose, in backquotes or not, is one of edict, or is listed here as another program's.
func TestDocsFlagsExist(t *testing.T) {
	h := readHouse(t, "..")
	inProse := regexp.MustCompile("(?:^|[\\s(`|])--([a-z][a-z0-9-]+)(…)?")
	each(t, func(_ page, line pageLine) (wrong []string) {
		if line.code {
			return nil
		}
		for _, m := range inProse.FindAllStringSubmatch(line.text, -1) {
			if name := m[1]; m[2] == "" && !strings.HasSuffix(name, "-") && !h.flags[name] && !h.flags[strings.TrimPrefix(name, "no-")] && !foreignFlags[name] {
				wrong = append(wrong, "no command has a flag --"+name)
			}
		}
		return wrong
	})
}

// foreignFlags are those of other programs that pages speak of.
var foreignFlags = map[string]bool{
	"array": true, "cache-sim": true, "master": true, "now": true, "path-as-is": true, "tool": true, // of Slurm, valgrind, Spark, systemctl, curl, valgrind
}

// TestDocsRoutesExist: a method with a path, a path below one that the server has, and the address of a request to the server of the examples are
// routes of the server.
func TestDocsRoutesExist(t *testing.T) {
	routes := serverRoutes(t)
	checked := 0
	each(t, func(_ page, line pageLine) (wrong []string) {
		for _, text := range line.texts() {
			for _, m := range route.FindAllStringSubmatch(text, -1) {
				checked++
				if !routes.has(m[1], m[2]) && !foreignRoutes[m[2]] {
					wrong = append(wrong, fmt.Sprintf("the server has no route %s %s", m[1], m[2]))
				}
			}
			for _, m := range address.FindAllStringSubmatch(text, -1) {
				checked++
				if !routes.has("", m[1]) {
					wrong = append(wrong, "the server has no route "+m[1])
				}
			}
			if path := pathSpan.FindString(text); path != "" && !line.code && routes.ours(path) {
				checked++
				if !routes.has("", path) {
					wrong = append(wrong, "the server has no route "+path)
				}
			}
		}
		return wrong
	})
	if checked < 150 {
		t.Errorf("only %d routes were looked at: the patterns do not see them any more", checked)
	}
}

var (
	route    = regexp.MustCompile("\\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (/[^\\s\"'`?#,;)]*)")
	address  = regexp.MustCompile("http://(?:127\\.0\\.0\\.1|localhost):8080(/[^\\s\"'`?#,;)]*)")
	pathSpan = regexp.MustCompile("^/[a-zA-Z][^\\s\"'`?#,;)]*")
)

// foreignRoutes are those of other programs that pages speak of.
var foreignRoutes = map[string]bool{"/api/publish": true} // of Centrifugo

// routeTable is the routes of a server.
type routeTable []*web.Route

// serverRoutes returns the routes of a server with everything that it can serve.
func serverRoutes(t *testing.T) routeTable {
	t.Helper()
	cfg := cli.DefaultConfig()
	cfg.Server.Listen, cfg.Server.Data, cfg.Server.Watch, cfg.Log.Level = "127.0.0.1:0", t.TempDir(), true, "error"
	var out bytes.Buffer
	server := cli.NewServer(cfg, &cli.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Now: time.Now})
	if err := server.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	routes := server.Routes()
	if err := server.Stop(); err != nil {
		t.Error(err)
	}
	for _, path := range []string{"/metrics", "/debug/pprof", "/debug/pprof/{profile...}", "/healthz", "/readyz"} { // of the administration
		routes = append(routes, &web.Route{Method: "GET", Path: path})
	}
	for _, path := range []string{"/{country}/calculate", "/{country}/economy/{policy}/over/{baseline}"} { // of a package of PolicyEngine's
		routes = append(routes, &web.Route{Method: "GET", Path: path}, &web.Route{Method: "POST", Path: path})
	}
	return routes
}

// ours reports whether a path begins as one of the server's does.
func (r routeTable) ours(path string) bool {
	return slices.ContainsFunc(r, func(route *web.Route) bool {
		begin := segments(route.Path)[0]
		return !strings.HasPrefix(begin, "{") && begin == segments(path)[0]
	})
}

// has reports whether there is a route for a path, of any method without one; without a method the path may also be the beginning of others.
func (r routeTable) has(method, path string) bool {
	want := segments(strings.TrimRight(path, "/.:*…"))
	return slices.ContainsFunc(r, func(route *web.Route) bool {
		if method != "" && method != "OPTIONS" && route.Method != method && (method != "HEAD" || route.Method != "GET") {
			return false
		}
		have := segments(route.Path)
		for i, segment := range want {
			if i >= len(have) || strings.HasSuffix(have[i], "...}") {
				return i < len(have)
			}
			if !strings.HasPrefix(have[i], "{") && have[i] != segment && !placeholder.MatchString(segment) {
				return false
			}
		}
		return len(want) == len(have) || method == "" || strings.HasSuffix(have[len(want)], "...}") || strings.HasSuffix(path, "…")
	})
}

// placeholder is a segment of a path that stands for others.
var placeholder = regexp.MustCompile(`^[{<$…]|^[A-Z_]+$`)

func segments(path string) []string { return strings.Split(strings.TrimPrefix(path, "/"), "/") }
