package longtest

import "testing"

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
