package longtest

import (
	"flag"
	"testing"
)

func TestMode(t *testing.T) {
	t.Setenv(variable, "")
	if got := Pick(1, 2); got != 1 || Enabled() {
		t.Errorf("default mode: Pick = %d, Enabled = %t; want 1, false", got, Enabled())
	}
	t.Setenv(variable, "long")
	if got := Pick(1, 2); got != 2 || !Enabled() {
		t.Errorf("long mode: Pick = %d, Enabled = %t; want 2, true", got, Enabled())
	}
	t.Run("unknown", func(t *testing.T) {
		t.Setenv(variable, "lng")
		defer func() {
			if recover() == nil {
				t.Error("an unknown mode is accepted")
			}
		}()
		Enabled()
	})
}

func TestOnly(t *testing.T) {
	t.Setenv(variable, "")
	var skipped bool
	t.Run("usual", func(t *testing.T) {
		defer func() { skipped = t.Skipped() }()
		Only(t)
	})
	if !skipped {
		t.Error("Only ran a test in the default mode")
	}
	t.Setenv(variable, "long")
	ran := false
	t.Run("long", func(t *testing.T) {
		Only(t)
		ran = true
	})
	if !ran {
		t.Error("Only skipped a test in the long mode")
	}
}

func TestChecks(t *testing.T) {
	n := flag.Int("rapid.checks", 100, "as rapid registers it")
	t.Setenv(variable, "long")
	t.Run("long", func(t *testing.T) {
		if Checks(t, 5, 50); *n != 50 {
			t.Errorf("%d checks in the long mode, want 50", *n)
		}
	})
	t.Setenv(variable, "")
	t.Run("usual", func(t *testing.T) {
		if Checks(t, 5, 50); *n != 5 {
			t.Errorf("%d checks, want 5", *n)
		}
	})
	if *n != 100 {
		t.Errorf("%d checks after the tests, want 100", *n)
	}
	*n = 7
	if Checks(t, 5, 50); *n != 7 {
		t.Errorf("-rapid.checks=7 becomes %d", *n)
	}
}
