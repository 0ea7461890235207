// Package longtest scales tests: small by default, full size when EDICT_TESTS is long.
package longtest

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// variable is the environment variable that selects the long mode.
const variable = "EDICT_TESTS"

// Enabled reports whether tests run at full size.
func Enabled() bool {
	switch mode := os.Getenv(variable); mode {
	case "":
		return false
	case "long":
		return true
	default:
		panic(variable + "=" + mode + ": unknown mode; use long, or leave it empty")
	}
}

// Pick returns full in the long mode, otherwise usual.
func Pick[T any](usual, full T) T {
	if Enabled() {
		return full
	}
	return usual
}

// Only skips a test outside the long mode.
func Only(t testing.TB) {
	t.Helper()
	if !Enabled() {
		t.Skip("runs with " + variable + "=long only")
	}
}

// Checks sets the number of cases that rapid.Check draws in the rest of a test: usual, or full in the long mode. The flag
// -rapid.checks takes precedence. The number is global, so the test must not run in parallel.
func Checks(t testing.TB, usual, full int) {
	t.Helper()
	f := flag.Lookup("rapid.checks")
	before := f.Value.String()
	if before != f.DefValue {
		return
	}
	set := func(text string) {
		if err := f.Value.Set(text); err != nil {
			t.Fatal(err)
		}
	}
	set(strconv.Itoa(Pick(usual, full)))
	t.Cleanup(func() { set(before) })
}
