package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"edict/cli"
)

// TestPopulationEndsWithItsServer: a process that computes a population gives up when its input ends, and leaves no file.
func TestPopulationEndsWithItsServer(t *testing.T) {
	dir := t.TempDir()
	input := filepath.Join(dir, "input.csv")
	rows := bytes.NewBufferString("individu_id\n")
	for i := range 100_000 {
		fmt.Fprintln(rows, i)
	}
	if err := os.WriteFile(input, rows.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	order, err := json.Marshal(map[string]any{
		"country": map[string]any{"Profile": "32", "Dialect": []string{"numpy1", "core44"}, "Memory": "1GiB"}, "memory": 1 << 30,
		"task": map[string]any{"input": input, "rows": 1_000_000, "cores": 1, "options": map[string]any{"variables": []string{"revdisp"}, "period": "2022"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	status := cli.Run(t.Context(), []string{"compute-population"}, &cli.Env{Stdin: bytes.NewReader(order), Stdout: &stdout, Stderr: &stderr, Now: time.Now})
	if status != 0 || !strings.Contains(stdout.String(), "context canceled") {
		t.Errorf("status %d, %s%s", status, stdout.String(), stderr.String())
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) != 1 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestComputePopulationByHand: whoever calls it is told whom it is for.
func TestComputePopulationByHand(t *testing.T) {
	var stdout, stderr strings.Builder
	status := cli.Run(t.Context(), []string{"compute-population"}, &cli.Env{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Now: time.Now})
	if status != 2 || !strings.Contains(stderr.String(), "this command is for servers") {
		t.Errorf("status %d, %s", status, stderr.String())
	}
}
