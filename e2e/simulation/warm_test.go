package simulation_test

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"edict/cli"
	"edict/e2e"
)

const lone = `{"individus":{"ada":{"salaire_imposable":{"2024":30000}}},"menages":{"m":{"personne_de_reference":["ada"],"revdisp":{"2024":null}}}}`

// TestWarmUp: a server that has played requests to itself answers the first one of a client from what it recorded, and says which
// request was refused. Requests of its own need no token.
func TestWarmUp(t *testing.T) {
	file := filepath.Join(t.TempDir(), "warm.jsonl")
	lines := `{"path": "/calculate", "body": ` + lone + `}

{"path": "/calculate", "body": {"individus":{"ada":{"salaire_impossible":{"2024":1}}}}}
`
	if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	server := e2e.StartBinary(t, "--warm", file, "--simulation-auth", "required", "--admin-listen", "127.0.0.1:0")
	played := func() int {
		found := regexp.MustCompile(`edict_simulations_total\{how="played"\} (\d+)`).FindSubmatch(e2e.MetricsOf(t, server))
		n, err := strconv.Atoi(string(found[1]))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := played()
	if before == 0 {
		t.Error("the server is ready and has played nothing")
	}
	token := e2e.Tokens(server.Data)(t, "ann")
	e2e.Call(t, "POST", server.URL+"/calculate", token, "application/json", lone)
	if n := played(); n != before+1 {
		t.Errorf("%d simulations were played before the first request, %d after it", before, n)
	}
	if said := server.Stderr(); !strings.Contains(said, "warm.jsonl:3") || !strings.Contains(said, "salaire_impossible") {
		t.Errorf("the log does not name the request that was refused:\n%s", said)
	}
	var ready struct{ Checks map[string]string }
	decode(t, e2e.Call(t, "GET", server.URL+"/readyz", "", "", ""), &ready)
	if ready.Checks["warm"] != "ok" {
		t.Errorf("%v", ready)
	}
}

// TestLawHash: servers that have the same law tell the same hash, wherever its files are, and others another.
func TestLawHash(t *testing.T) {
	copied := t.TempDir()
	if err := os.CopyFS(copied, os.DirFS("../../countries/france")); err != nil {
		t.Fatal(err)
	}
	hash := func(configure func(*cli.Config)) string {
		server := e2e.StartSimulation(t, configure)
		e2e.AwaitReady(t, server.URL)
		var ready struct{ About map[string]map[string]string }
		decode(t, e2e.Call(t, "GET", server.URL+"/readyz", "", "", ""), &ready)
		about := ready.About["legislation"]
		if about["package"] == "" || about["version"] == "" || len(about["hash"]) != 32 {
			t.Errorf("/readyz tells %v", ready.About)
		}
		for _, path := range []string{"/entities", "/api/1/entities"} {
			resp, err := http.Get(server.URL + path)
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			if got := resp.Header.Get("Country-Package-Hash"); got != about["hash"] {
				t.Errorf("%s tells %q, /readyz %q", path, got, about["hash"])
			}
		}
		return about["hash"]
	}
	from := func(dir string) func(*cli.Config) {
		return func(c *cli.Config) { c.Simulation.Country = dir }
	}
	first := hash(from("../../countries/france"))
	if got := hash(from(copied)); got != first {
		t.Errorf("a copy has %s, the original %s", got, first)
	}
	set := hash(func(c *cli.Config) {
		from(copied)(c)
		c.Simulation.Set = []string{"impot_revenu.decote.taux=0.5"}
	})
	if set == first {
		t.Error("a law with a parameter changed has the same hash")
	}
	file := filepath.Join(copied, "edict_france", "__init__.py")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(text, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := hash(from(copied)); got == first || got == set {
		t.Error("a law with another file has the same hash")
	}
}
