package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"edict/cli"
)

const samplePath = "../docs/reference/edict.sample.yaml"

// run runs a command line in process.
func run(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = cli.Run(context.Background(), args, &cli.Env{Stdout: &out, Stderr: &errs, Now: time.Now})
	return status, out.String(), errs.String()
}

// TestSampleIsWritten holds docs/reference/edict.sample.yaml to the Config struct; -update rewrites it.
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
	if diff := cmp.Diff(cli.DefaultConfig(), got, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(cli.CountryConfig{})); diff != "" {
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
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(cli.CountryConfig{})); diff != "" {
		t.Error(diff)
	}
}

// TestSettingNames: a setting of a section is one in every command, a flag of a command's own carries its name.
func TestSettingNames(t *testing.T) {
	for name, want := range map[string]string{
		"server.data":      "EDICT_DATA",
		"server.listen":    "EDICT_LISTEN",
		"log.level":        "EDICT_LOG_LEVEL",
		"token.create.ttl": "EDICT_TOKEN_CREATE_TTL",
	} {
		if got := cli.SettingEnv(name); got != want {
			t.Errorf("%s is %q in the environment, want %q", name, got, want)
		}
	}
	seen := map[string]string{}
	for _, name := range cli.Settings() {
		env := cli.SettingEnv(name)
		if env == "" || seen[env] != "" {
			t.Errorf("%s is %q in the environment, as is %q", name, env, seen[env])
		}
		seen[env] = name
	}
}

// TestFileOfCommand: the flags of any command can be set in the file.
func TestFileOfCommand(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "edict.yaml")
	text := fmt.Sprintf("server:\n  data: %q\nuser:\n  create:\n    id: from-file\n", filepath.Join(dir, "data"))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := run(t, "user", "create", "alice", "--config", file)
	if status != 0 || stdout != "from-file\n" {
		t.Errorf("status %d, stdout %q, stderr %q; want the id of the file", status, stdout, stderr)
	}
}

func TestWrongEnvironment(t *testing.T) {
	t.Setenv("EDICT_DRAIN", "soon")
	status, stdout, stderr := run(t, "serve")
	if status != 2 || stdout != "" || !strings.Contains(stderr, "EDICT_DRAIN") {
		t.Errorf("status %d, stdout %q, stderr %q; want 2 and a complaint about EDICT_DRAIN", status, stdout, stderr)
	}
}
