package population_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"edict/e2e"
)

// TestPopulationInterrupted ends "edict population" by a signal in the middle of its work: it stops, says so, and the
// directory is as it was.
func TestPopulationInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals to send on Windows")
	}
	// Where tests run under nohup, processes would inherit that it is ignored.
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP)
	defer signal.Stop(heard)
	for _, sent := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(sent.String(), func(t *testing.T) {
			dir := t.TempDir()
			input, output := filepath.Join(dir, "persons.csv"), filepath.Join(dir, "result.csv")
			for name, text := range map[string]string{input: manyPersons(100_000), output: "of an earlier run\n"} {
				if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var stdout, stderr bytes.Buffer
			// Chunks as small as can be: the job would take minutes.
			cmd := exec.CommandContext(t.Context(), e2e.Binary(t), "population", "--input", input, "--output", output,
				"--variables", "revdisp", "--period", "2022", "--chunk", "1", "--data", filepath.Join(dir, "data"))
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			awaitOutput(t, dir)
			if err := cmd.Process.Signal(sent); err != nil {
				t.Fatal(err)
			}
			if sent == syscall.SIGHUP {
				_ = cmd.Process.Signal(sent) // the shell tells its jobs too, which may have ended
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

// TestPopulationHangup: a job that nohup has started does not end with its terminal.
func TestPopulationHangup(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals to send on Windows")
	}
	dir := t.TempDir()
	input, output := filepath.Join(dir, "persons.csv"), filepath.Join(dir, "result.csv")
	if err := os.WriteFile(input, []byte(manyPersons(2_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", `trap "" HUP; exec "$@"`, "sh", e2e.Binary(t), "population", "--input", input, "--output", output,
		"--variables", "revdisp", "--period", "2022", "--chunk", "1", "--data", filepath.Join(dir, "data"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	awaitOutput(t, dir)
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, stderr.String())
	}
	if got, err := os.ReadFile(output); bytes.Count(got, []byte("\n")) != 2_001 {
		t.Errorf("%d lines (%v)", bytes.Count(got, []byte("\n")), err)
	}
}

// TestPopulationFullDisk computes and merges onto a disk without room: what is said names the output, and the disk is as it was.
func TestPopulationFullDisk(t *testing.T) {
	dir := t.TempDir()
	full := filepath.Join(dir, "full")
	if err := os.Mkdir(full, 0o700); err != nil {
		t.Fatal(err)
	}
	// A disk of this process and those that it starts, in memory.
	mounted := func(script string, args ...string) *exec.Cmd {
		words := append([]string{"-rm", "sh", "-c", "mount -t tmpfs -o size=64k none " + full + " && " + script, "sh"}, args...)
		cmd := exec.CommandContext(t.Context(), "unshare", words...)
		// Of the settings of tests edict would say that it does not know them.
		cmd.Env = slices.DeleteFunc(os.Environ(), func(entry string) bool { return strings.HasPrefix(entry, "EDICT_") })
		return cmd
	}
	if said, err := mounted("true").CombinedOutput(); err != nil {
		t.Skipf("no small disk can be had: %v, %s", err, said)
	}
	input := filepath.Join(dir, "persons.csv")
	if err := os.WriteFile(input, []byte(manyPersons(30_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	ask := []string{e2e.Binary(t), "population", "--quiet", "--input", input, "--variables", "revdisp", "--period", "2022", "--data", filepath.Join(dir, "data")}
	for _, ext := range []string{"csv", "parquet"} {
		parts := filepath.Join(dir, ext)
		if err := os.Mkdir(parts, 0o700); err != nil {
			t.Fatal(err)
		}
		part := exec.CommandContext(t.Context(), ask[0], append(ask[1:], "--part", "1/1", "--output", filepath.Join(parts, "1."+ext))...)
		if said, err := part.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		output := filepath.Join(full, "result."+ext)
		for name, args := range map[string][]string{
			"job":   slices.Concat(ask, []string{"--output", output}),
			"part":  slices.Concat(ask, []string{"--part", "1/1", "--output", output}),
			"merge": {ask[0], "population", "merge", "--quiet", "--output", output, parts},
		} {
			said, err := mounted(`"$@"; echo "status $?"; ls -A `+full, args...).CombinedOutput()
			want := fmt.Sprintf("edict: %s cannot be written: no space left on device: make room on its disk, or choose another one\nstatus 1\n", output)
			if err != nil || string(said) != want {
				t.Errorf("%s, %s: %v, said\n%s\nwant\n%s", ext, name, err, said, want)
			}
		}
	}
}

// TestPopulationPartKilled ends parts by a signal in the middle of their work, also by one that cannot be noticed: what is left
// is no part.
func TestPopulationPartKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals to send on Windows")
	}
	for _, signal := range []os.Signal{os.Interrupt, os.Kill} {
		t.Run(signal.String(), func(t *testing.T) {
			dir := t.TempDir()
			input, parts := filepath.Join(t.TempDir(), "persons.csv"), filepath.Join(dir, "parts")
			if err := os.WriteFile(input, []byte(manyPersons(100_000)), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(parts, 0o700); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), e2e.Binary(t), "population", "--input", input, "--output", filepath.Join(parts, "1.csv"),
				"--variables", "revdisp", "--period", "2022", "--chunk", "2", "--part", "1/2", "--data", filepath.Join(dir, "data"))
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			awaitOutput(t, parts)
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // it was killed
			if left := hidden(t, parts); signal == os.Interrupt && len(left) > 0 {
				t.Errorf("left: %v", left)
			}
			if names, err := filepath.Glob(filepath.Join(parts, "1.csv*")); len(names) > 0 || err != nil {
				t.Errorf("looks finished: %v (%v)", names, err)
			}
			merge := exec.CommandContext(t.Context(), e2e.Binary(t), "population", "merge", "--output", filepath.Join(dir, "all.csv"), parts)
			said, err := merge.CombinedOutput()
			if merge.ProcessState.ExitCode() != 1 || !strings.Contains(string(said), "has no parts") {
				t.Errorf("merge: %v, %s", err, said)
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
