package console_test

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"edict/cli"
	"edict/e2e"
)

var tsClient = flag.String("ts-client", "", "test the TypeScript client in this copy of clients/typescript, where npm ci was run")

// TestTypeScriptClient: the types of the client are those of /openapi.json, it can be packed, and its scenarios hold in Node and in a browser, over both kinds of streams.
func TestTypeScriptClient(t *testing.T) {
	if *tsClient == "" {
		t.Skip("no TypeScript: run npm ci in a copy of clients/typescript and give it as -ts-client DIR")
	}
	pages := httptest.NewServer(http.FileServer(http.Dir(*tsClient)))
	t.Cleanup(pages.Close)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Messaging.Origins, c.Server.Watch = []string{pages.URL}, true }})
	e2e.AwaitReady(t, server.URL)
	document := e2e.Fetch(t, http.MethodGet, server.URL+"/openapi.json", "")
	if err := os.WriteFile(filepath.Join(*tsClient, "openapi.json"), document, 0o600); err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile(filepath.Join(*tsClient, "src", "schema.ts"))
	if err != nil {
		t.Fatal(err)
	}
	npmIn(t, "run", "schema")
	want, err := os.ReadFile(filepath.Join(*tsClient, "src", "schema.ts"))
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != string(want) {
		if e2e.Update() {
			err = os.WriteFile("../../clients/typescript/src/schema.ts", want, 0o600)
		}
		t.Errorf("clients/typescript/src/schema.ts is not what the server's /openapi.json gives; run the test with -update (%v)", err)
	}
	npmIn(t, "run", "build")
	npmIn(t, "run", "check")
	npmIn(t, "run", "example")
	if packed := npmIn(t, "pack"); !strings.Contains(packed, "dist/index.d.ts") || strings.Contains(packed, "node_modules") {
		t.Errorf("the package is\n%s", packed)
	}
	testPacked(t, server.URL)
	wire := e2e.NewWire(t, server.URL)
	alice := e2e.Tokens(server.Data)(t, "alice")
	control := controlOf(t, server, wire, alice)
	e2e.Run(t, "a long password\n", "user", "create", "carol", "--password-stdin", "--data", server.Data)
	t.Run("node", func(t *testing.T) {
		cmd := exec.CommandContext(t.Context(), "node", "out/test/node.js", wire.URL, control, alice, "a long password")
		cmd.Dir = *tsClient
		if out, err := cmd.CombinedOutput(); err != nil || len(strings.Fields(string(out))) < 10 {
			t.Errorf("%v\n%s", err, out)
		}
	})
	t.Run("chat", func(t *testing.T) { testChatExample(t, server, wire, pages.URL) })
	for _, transport := range []string{"sse", "websocket"} {
		t.Run("browser "+transport, func(t *testing.T) {
			tab := e2e.StartBrowser(t).Open(pages.URL + "/test/page.html")
			var names []string
			tab.Eval("names", &names)
			for _, name := range names {
				tab.Eval(fmt.Sprintf("run(%s, {url: %s, control: %s, token: %s, password: 'a long password', transport: %s})",
					e2e.Quote(name), e2e.Quote(wire.URL), e2e.Quote(control), e2e.Quote(alice), e2e.Quote(transport)), nil)
			}
			if len(names) < 10 {
				t.Errorf("%d scenarios: %v", len(names), names)
			}
		})
	}
}

// testPacked installs the package into an empty directory and uses it from there.
func testPacked(t *testing.T, url string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(*tsClient, "edict-client-*.tgz"))
	if err != nil || len(found) != 1 {
		t.Fatalf("the packages are %v (%v)", found, err)
	}
	packed, err := filepath.Abs(found[0])
	if err != nil {
		t.Fatal(err)
	}
	const program = `import { Client } from "edict-client";
console.log((await new Client(process.argv[1]).get("/api/2/formula/{rest}", { path: { rest: "2024/nbptr" } })).values.nbptr);`
	clean := t.TempDir()
	for _, line := range [][]string{{"npm", "install", "--offline", "--no-audit", "--no-fund", packed}, {"node", "--input-type=module", "--eval", program, url}} {
		cmd := exec.CommandContext(t.Context(), line[0], line[1:]...)
		cmd.Dir = clean
		out, err := cmd.CombinedOutput()
		if err != nil || line[0] == "node" && strings.TrimSpace(string(out)) != "1" {
			t.Fatalf("%s: %v\n%s", line[0], err, out)
		}
	}
}

// testChatExample: two people talk on the page of the example, and what is said while the connection is lost is there when it is back.
func testChatExample(t *testing.T, server *e2e.Server, wire *e2e.Wire, pages string) {
	for _, name := range []string{"dora", "erik"} {
		e2e.Run(t, "a long password\n", "user", "create", name, "--id", name, "--password-stdin", "--data", server.Data)
	}
	token := strings.TrimSpace(e2e.Run(t, "", "token", "create", "--user", "dora", "--data", server.Data))
	browser := e2e.StartBrowser(t)
	enter := func(name, password string) *e2e.Tab {
		tab := browser.Open(pages + "/example/index.html?server=" + wire.URL)
		fill(tab, "enter", "name", name, "password", password)
		return tab
	}
	stranger := enter("dora", "nonsense")
	awaitMatch(stranger, "state", "^POST /auth/token: 400 ")
	dora := enter("dora", "a long password")
	e2e.AwaitShown(dora, "state", "dora in lobby")
	erik := enter("erik", "a long password")
	e2e.AwaitShown(erik, "state", "erik in lobby")
	fill(dora, "say", "text", "hello <b>all</b>")
	e2e.AwaitLines(dora, "dora hello <b>all</b>")
	e2e.AwaitLines(erik, "dora hello <b>all</b>")

	wire.Cut()
	awaitMatch(erik, "state", "^waiting")
	e2e.Call(t, "POST", server.URL+"/message/api/v2/channels/lobby/items", token, "application/json", `{"content":{"text":"are you there?"}}`)
	wire.Mend()
	e2e.AwaitLines(erik, "dora hello <b>all</b>", "dora are you there?")
	fill(erik, "say", "text", "I am")
	for _, tab := range []*e2e.Tab{dora, erik} {
		e2e.AwaitLines(tab, "dora hello <b>all</b>", "dora are you there?", "erik I am")
	}
}

// awaitMatch waits until the text of an element matches an expression of JavaScript.
func awaitMatch(tab *e2e.Tab, id, expression string) {
	tab.Eval(fmt.Sprintf(`new Promise((done) => {
		const e = document.getElementById(%s), look = () => { if (new RegExp(%s).test(e.textContent)) { watch.disconnect(); done(); } };
		const watch = new MutationObserver(look);
		watch.observe(e, {childList: true, characterData: true, subtree: true});
		look();
	})`, e2e.Quote(id), e2e.Quote(expression)), nil)
}

// fill types into the fields of a form, names and values by turns, and sends it as a user does.
func fill(tab *e2e.Tab, form string, fields ...string) {
	for i := 0; i < len(fields); i += 2 {
		tab.Eval(fmt.Sprintf("document.querySelector('#%s [name=%s]').value = %s", form, fields[i], e2e.Quote(fields[i+1])), nil)
	}
	tab.Eval(fmt.Sprintf("document.querySelector('#%s button').click()", form), nil)
}

// npmIn runs npm in the directory of the client and returns what it says.
func npmIn(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "npm", args...)
	cmd.Dir = *tsClient
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("npm %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// controlOf is what scenarios tell to cut and mend their wire, and to publish beside it. Below /stranger is what is no edict server, below
// /newer one that has another API.
func controlOf(t *testing.T, server *e2e.Server, wire *e2e.Wire, token string) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /cut", func(http.ResponseWriter, *http.Request) { wire.Cut() })
	mux.HandleFunc("POST /mend", func(http.ResponseWriter, *http.Request) { wire.Mend() })
	mux.HandleFunc("POST /publish", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		from, _ := strconv.Atoi(q.Get("from"))
		to, _ := strconv.Atoi(q.Get("to"))
		for n := from; n <= to; n++ {
			e2e.Call(t, "POST", server.URL+"/message/api/v2/channels/"+q.Get("channel")+"/items", token, "application/json", fmt.Sprintf(`{"content":{"n":%d}}`, n))
		}
	})
	mux.HandleFunc("GET /reconnect.json", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, "../../clients/reconnect.json") })
	mux.HandleFunc("GET /stranger/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html>")
	})
	mux.HandleFunc("GET /newer/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprintf(w, `{"error":"not found","message":"there is nothing at %s"}`, r.URL.Path)
	})
	mux.HandleFunc("OPTIONS /", func(http.ResponseWriter, *http.Request) {})
	control := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Headers", "Authorization")
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(control.Close)
	return control.URL
}
