package e2e

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
)

var tsClient = flag.String("ts-client", "", "test the TypeScript client in this copy of clients/typescript, where npm ci was run")

// TestTypeScriptClient: the types of the client are those of /openapi.json, it can be packed, and its scenarios hold in Node and in a browser, over both kinds of streams.
func TestTypeScriptClient(t *testing.T) {
	if *tsClient == "" {
		t.Skip("no TypeScript: run npm ci in a copy of clients/typescript and give it as -ts-client DIR")
	}
	pages := httptest.NewServer(http.FileServer(http.Dir(*tsClient)))
	t.Cleanup(pages.Close)
	server := Start(t, Options{Configure: func(c *cli.Config) { c.Messaging.Origins = []string{pages.URL} }})
	AwaitReady(t, server.URL)
	document := fetchText(t, http.MethodGet, server.URL+"/openapi.json", "")
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
		if *update {
			err = os.WriteFile("../clients/typescript/src/schema.ts", want, 0o600)
		}
		t.Errorf("clients/typescript/src/schema.ts is not what the server's /openapi.json gives; run the test with -update (%v)", err)
	}
	npmIn(t, "run", "build")
	npmIn(t, "run", "check")
	if packed := npmIn(t, "pack"); !strings.Contains(packed, "dist/index.d.ts") || strings.Contains(packed, "node_modules") {
		t.Errorf("the package is\n%s", packed)
	}
	wire := layWire(t, server.URL)
	alice := Tokens(server.Data)(t, "alice")
	control := controlOf(t, server, wire, alice)
	Run(t, "a long password\n", "user", "add", "carol", "--password-stdin", "--data", server.Data)
	t.Run("node", func(t *testing.T) {
		cmd := exec.CommandContext(t.Context(), "node", "out/test/node.js", wire.url, control, alice, "a long password")
		cmd.Dir = *tsClient
		if out, err := cmd.CombinedOutput(); err != nil || len(strings.Fields(string(out))) < 10 {
			t.Errorf("%v\n%s", err, out)
		}
	})
	for _, transport := range []string{"sse", "websocket"} {
		t.Run("browser "+transport, func(t *testing.T) {
			tab := StartBrowser(t).Open(pages.URL + "/test/page.html")
			var names []string
			tab.Eval("names", &names)
			for _, name := range names {
				tab.Eval(fmt.Sprintf("run(%s, {url: %s, control: %s, token: %s, password: 'a long password', transport: %s})",
					quote(name), quote(wire.url), quote(control), quote(alice), quote(transport)), nil)
			}
			if len(names) < 10 {
				t.Errorf("%d scenarios: %v", len(names), names)
			}
		})
	}
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

// controlOf is what scenarios tell to cut and mend their wire, and to publish beside it.
func controlOf(t *testing.T, server *Server, wire *wire, token string) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /cut", func(http.ResponseWriter, *http.Request) { wire.cut() })
	mux.HandleFunc("POST /mend", func(http.ResponseWriter, *http.Request) { wire.mend() })
	mux.HandleFunc("POST /publish", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		from, _ := strconv.Atoi(q.Get("from"))
		to, _ := strconv.Atoi(q.Get("to"))
		for n := from; n <= to; n++ {
			call(t, "POST", server.URL+"/message/api/v2/channels/"+q.Get("channel")+"/items", token, "application/json", fmt.Sprintf(`{"content":{"n":%d}}`, n))
		}
	})
	control := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(control.Close)
	return control.URL
}
