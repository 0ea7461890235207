package recent

import (
	"testing"
	"time"
)

// TestSet: a thing counts for ten minutes, and a set never holds more than it may.
func TestSet(t *testing.T) {
	var s Set[int]
	now := time.Date(2026, 11, 19, 9, 0, 0, 0, time.UTC)
	if s.Has(1, now) {
		t.Error("an empty set has something")
	}
	s.Add(1, now)
	for after, want := range map[time.Duration]bool{0: true, Within - 1: true, Within: false} {
		if s.Has(1, now.Add(after)) != want {
			t.Errorf("after %v: %v", after, !want)
		}
	}
	for i := range 5 * most {
		s.Add(i, now)
		if len(s.last) > most {
			t.Fatalf("%d things", len(s.last))
		}
	}
}
