package people_test

import (
	"testing"

	"edict/e2e"
)

// TestIdentity runs the golden files of identity, with what the removal of a user does to messaging.
func TestIdentity(t *testing.T) { e2e.RunIdentity(t, e2e.Start, "testdata/auth/*.txtar") }
