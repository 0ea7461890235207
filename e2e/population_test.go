package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestPopulationInterrupted ends "edict population" by a signal in the middle of its work: it stops, says so, and the
// directory is as it was.
func TestPopulationInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals to send on Windows")
	}
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			dir := t.TempDir()
			input, output := filepath.Join(dir, "persons.csv"), filepath.Join(dir, "result.csv")
			for name, text := range map[string]string{input: manyPersons(100_000), output: "of an earlier run\n"} {
				if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var stdout, stderr bytes.Buffer
			// Chunks as small as can be: the job would take minutes.
			cmd := exec.CommandContext(t.Context(), Binary(t), "population", "--input", input, "--output", output,
				"--variables", "revdisp", "--period", "2022", "--chunk", "1", "--data", filepath.Join(dir, "data"))
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			awaitOutput(t, dir)
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 1 {
				t.Errorf("status %d (%v), want 1", cmd.ProcessState.ExitCode(), err)
			}
			if !strings.Contains(stderr.String(), "stopped after") || !strings.Contains(stderr.String(), "nothing was written") {
				t.Errorf("stderr does not say that the job was stopped:\n%s", stderr.String())
			}
			if stdout.Len() > 0 {
				t.Errorf("stdout names files: %s", stdout.String())
			}
			if got, err := os.ReadFile(output); string(got) != "of an earlier run\n" {
				t.Errorf("the file of an earlier run is %q (%v)", got, err)
			}
			for _, left := range hidden(t, dir) {
				t.Errorf("%s was left behind", left)
			}
		})
	}
}

// manyPersons is a file of people who live alone.
func manyPersons(n int) string {
	var b strings.Builder
	b.WriteString("individu_id,menage_id,famille_id,foyer_fiscal_id,date_naissance,salaire_imposable\n")
	for i := range n {
		fmt.Fprintf(&b, "%d,%d,%d,%d,1985-03-02,%d\n", i, i, i, i, i%50_000)
	}
	return b.String()
}

// awaitOutput waits until the job has begun to write, under another name than that of the result.
func awaitOutput(t *testing.T, dir string) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for len(hidden(t, dir)) == 0 {
		if time.Now().After(deadline) {
			t.Fatal("nothing is written")
		}
		time.Sleep(5 * time.Millisecond) // a directory has no event to wait for
	}
}

// hidden lists the files of a directory whose names begin with a point.
func hidden(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}
