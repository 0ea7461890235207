package clients_test

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"edict/e2e"
)

var (
	schemathesis         = flag.String("schemathesis", "", "run schemathesis by this Python, which has testdata/schemathesis/requirements.txt installed")
	schemathesisExamples = flag.Int("schemathesis-examples", 5, "test cases for each operation in each phase that makes them up")
)

// TestSchemathesis sends what schemathesis makes of /openapi.json, as an admin and as a user: answers are documented, what the document
// allows is accepted, and what it rules out is rejected.
func TestSchemathesis(t *testing.T) {
	if *schemathesis == "" {
		t.Skip("no schemathesis: install testdata/schemathesis/requirements.txt and give its Python as -schemathesis")
	}
	for _, caller := range []string{"admin", "tess"} {
		t.Run(caller, func(t *testing.T) { runSchemathesis(t, caller) })
	}
}

func runSchemathesis(t *testing.T, caller string) {
	server := e2e.StartBinary(t, "--watch", "--auth-rate", "0", "--messaging-rate", "0")
	e2e.AwaitReady(t, server.URL)
	tokens := e2e.Tokens(server.Data)
	for _, named := range []string{"alice", "bob"} { // in examples
		tokens(t, named)
	}
	dir, err := filepath.Abs("testdata/schemathesis")
	if err != nil {
		t.Fatal(err)
	}
	report := filepath.Join(t.TempDir(), "report.json")
	cmd := exec.CommandContext(t.Context(), *schemathesis, "-m", "schemathesis.cli", "--config-file", filepath.Join(dir, "schemathesis.toml"),
		"run", server.URL+"/openapi.json", "--checks", "all", "--seed", "1", "--max-examples", strconv.Itoa(*schemathesisExamples),
		"--report", "json", "--report-json-path", report)
	cmd.Dir = t.TempDir() // what it keeps between runs
	cmd.Env = append(os.Environ(), "PYTHONPATH="+dir, "PYTHONDONTWRITEBYTECODE=1", "EDICT_URL="+server.URL,
		"EDICT_TOKEN="+tokens(t, caller), "EDICT_SPARE="+tokens(t, "spare"), "EDICT_KEPT="+strings.Join([]string{caller, "spare"}, ","))
	out, err := cmd.CombinedOutput()
	logCounts(t, caller, report)
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// logCounts prints how much a run of schemathesis tested.
func logCounts(t *testing.T, caller, report string) {
	t.Helper()
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	var counts struct {
		Operations struct{ Total, Tested int }
		TestCases  struct {
			Generated int
			Failures  int `json:"unique_failures"`
		} `json:"test_cases"`
	}
	if err := json.Unmarshal(text, &counts); err != nil {
		t.Fatal(err)
	}
	t.Logf("schemathesis as %s: %d of %d operations, %d cases, %d findings", caller, counts.Operations.Tested, counts.Operations.Total, counts.TestCases.Generated, counts.TestCases.Failures)
}
