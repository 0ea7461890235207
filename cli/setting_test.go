package cli_test

import (
	"runtime/debug"
	"strings"
	"testing"

	"edict/cli"
)

func TestSize(t *testing.T) {
	for text, want := range map[string]cli.Size{
		"0": 0, "17": 17, "64KiB": 64 << 10, "4MiB": 4 << 20, "1 GiB": 1 << 30, "1536": 1536,
	} {
		var got cli.Size
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%q is %d (%v), want %d", text, got, err, want)
		}
		var again cli.Size
		if err := again.UnmarshalText([]byte(got.String())); err != nil || again != got {
			t.Errorf("%q is written %q, which is read as %d (%v)", text, got, again, err)
		}
	}
	for _, text := range []string{"", "MiB", "-1", "1.5MiB", "4MB", "4 mib", "9223372036854775807KiB", "1e3"} {
		if err := new(cli.Size).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is accepted as a size", text)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"log.format", "log.level", "server.admin-listen", "server.listen", "tls.cert"}
	for name, want := range map[string]string{
		"server.lisen":  "server.listen",
		"server.listne": "server.listen",
		"listen":        "server.listen",
		"log-level":     "log.level",
		"sever.listen":  "server.listen",
		"zebra":         "",
		"server.x":      "",
		"":              "",
	} {
		if got := cli.Nearest(name, known...); got != want {
			t.Errorf("nearest to %q is %q, want %q", name, got, want)
		}
	}
}

func TestBuildIsCompleted(t *testing.T) {
	recorded := &debug.BuildInfo{
		Main:     debug.Module{Version: "v1.2.3"},
		Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-11-15T00:00:00Z"}},
	}
	tests := []struct {
		name    string
		stamped cli.Build
		info    *debug.BuildInfo
		want    cli.Build
	}{
		{"stamped", cli.Build{Version: "v2", Commit: "def", Date: "today"}, recorded, cli.Build{Version: "v2", Commit: "def", Date: "today"}},
		{"recorded", cli.Build{}, recorded, cli.Build{Version: "v1.2.3", Commit: "abc", Date: "2026-11-15T00:00:00Z"}},
		{"devel", cli.Build{}, &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, cli.Build{Version: "devel", Commit: "unknown", Date: "unknown"}},
		{"nothing", cli.Build{}, nil, cli.Build{Version: "devel", Commit: "unknown", Date: "unknown"}},
	}
	for _, test := range tests {
		if got := test.stamped.Complete(test.info); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

// FuzzConfigFile: whatever is in a file, reading it ends, and every problem says where it is.
func FuzzConfigFile(f *testing.F) {
	for _, seed := range []string{
		"", "server:\n  listen: 127.0.0.1:0\n", "server: &s {server: *s}\n", "a: b\n---\nc: d\n", "? [x]\n: y\n", "- 1\n", "log: {level: [}",
		"limits: {body: 4MiB, depth: x}\n", "server: {data: !!binary aGk=}\n", "{}", "server: ~\n", "1: 2\n", "server:\n<<: {a: 1}\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, problem := range cli.ReadConfig(text) {
			if !strings.HasPrefix(problem.Error(), "edict.yaml:") {
				t.Errorf("a problem without its place: %v", problem)
			}
		}
	})
}
