// Package longtest scales tests: small by default, full size when EDICT_TESTS is long.
package longtest

import (
	"os"
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
