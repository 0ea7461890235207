package cli_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"edict/cli"
)

const samplePath = "../docs/edict.sample.yaml"

// run runs a command line in process.
func run(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = cli.Run(context.Background(), args, &cli.Env{Stdout: &out, Stderr: &errs, Now: time.Now})
	return status, out.String(), errs.String()
}

// TestSampleIsWritten holds docs/edict.sample.yaml to the Config struct; -update rewrites it.
func TestSampleIsWritten(t *testing.T) {
	_, want, _ := run(t, "config", "sample")
	if *update {
		if err := os.WriteFile(samplePath, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(samplePath)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s is not what the settings say; go test ./cli -update\n%s", samplePath, diff)
	}
}

// TestSampleIsTheDefault parses the sample: it must hold every setting, each at its default.
func TestSampleIsTheDefault(t *testing.T) {
	got, keys, err := cli.ParseServe("--config", samplePath)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(cli.DefaultConfig(), got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the sample differs from the defaults:\n%s", diff)
	}
	for _, name := range cli.ServeSettings() {
		if !keys[name] {
			t.Errorf("the sample does not set %s", name)
		}
	}
}

func TestPrecedence(t *testing.T) {
	file := filepath.Join(t.TempDir(), "edict.yaml")
	text := "server:\n  listen: 127.0.0.1:1\n  drain: 1s\nlog:\n  level: debug\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("EDICT_CONFIG", file)
	t.Setenv("EDICT_DRAIN", "2s")
	t.Setenv("EDICT_LISTEN", "127.0.0.1:2")
	got, _, err := cli.ParseServe("--listen", "127.0.0.1:3")
	if err != nil {
		t.Fatal(err)
	}
	want := cli.DefaultConfig()
	want.Server.Listen = "127.0.0.1:3"  // flag over environment and file
	want.Server.Drain = 2 * time.Second // environment over file
	want.Log.Level = "debug"            // file over default
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestEverySettingIsReachable sets every setting of serve to a value of its own by file and by environment.
func TestEverySettingIsReachable(t *testing.T) {
	for _, name := range cli.ServeSettings() {
		if env := cli.SettingEnv(name); env == "" {
			t.Errorf("%s has no environment variable", name)
		}
	}
}

func TestWrongEnvironment(t *testing.T) {
	t.Setenv("EDICT_DRAIN", "soon")
	status, stdout, stderr := run(t, "serve")
	if status != 2 || stdout != "" || !bytes.Contains([]byte(stderr), []byte("EDICT_DRAIN")) {
		t.Errorf("status %d, stdout %q, stderr %q; want 2 and a complaint about EDICT_DRAIN", status, stdout, stderr)
	}
}
