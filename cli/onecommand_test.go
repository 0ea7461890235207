package cli

import (
	"bytes"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestParseOne: the grammar of one command understands what the whole one does, complains in the same words, and leaves the rest to it.
func TestParseOne(t *testing.T) {
	for _, entry := range os.Environ() {
		if name, value, _ := strings.Cut(entry, "="); strings.HasPrefix(name, envPrefix) {
			t.Setenv(name, value) // which puts it back
			os.Unsetenv(name)
		}
	}
	population := []string{"population", "--input", "a.csv", "--variables", "x,y", "--period", "2022", "--output", "b.csv"}
	for _, args := range [][]string{population, {"version"}, {"country", "list"}, {"population", "merge", "--output", "o.csv", "parts"}, {"serve", "--listen", ":0"}, {"population"}} {
		var out bytes.Buffer
		env := &Env{Stdout: &out, Stderr: &out, Now: time.Now}
		_, one := parseOne(args, env)
		if one == nil {
			t.Errorf("%v: the whole grammar is needed", args)
			continue
		}
		whole, err := newParser(new(commands), env)
		if err != nil {
			t.Fatal(err)
		}
		all, err := whole.Parse(spreadLists(whole.Model.Node, args))
		if err != nil {
			t.Fatal(err)
		}
		if one.Command() != all.Command() {
			t.Errorf("%v is %q, want %q", args, one.Command(), all.Command())
		}
		if len(one.Flags()) != len(all.Flags()) {
			t.Errorf("%v has %d flags, want %d", args, len(one.Flags()), len(all.Flags()))
		}
		for _, flag := range all.Flags() {
			for _, same := range one.Flags() {
				if got, want := one.FlagValue(same), all.FlagValue(flag); same.Name == flag.Name && !reflect.DeepEqual(got, want) {
					t.Errorf("%v: --%s is %v, want %v", args, flag.Name, got, want)
				}
			}
		}
		complain(one, os.ErrInvalid, env)
		got := out.String()
		out.Reset()
		complain(all, os.ErrInvalid, env)
		if got != out.String() {
			t.Errorf("%v complains\n%s\nwant\n%s", args, got, out.String())
		}
	}
	for _, args := range [][]string{nil, {"populatoin"}, {"population", "--help"}, {"population", "-h"}, {"--config", "f.yaml", "version"}, {"version", "--config=f.yaml"}, {"population", "--nothing"}, {"config", "check"}} {
		if _, call := parseOne(args, &Env{Now: time.Now}); call != nil {
			t.Errorf("%v is not left to the whole grammar", args)
		}
	}
	t.Setenv(envPrefix+"LISTEN", ":0")
	if _, call := parseOne(population, &Env{Now: time.Now}); call != nil {
		t.Error("what the environment sets is not left to the whole grammar")
	}
}
