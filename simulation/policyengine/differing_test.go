package policyengine_test

import (
	"testing"

	"edict/simulation/policyengine"
)

// TestDiffering: the list is for policyengine-uk only.
func TestDiffering(t *testing.T) {
	for name, want := range map[string]bool{"policyengine_uk": true, "policyengine-uk": true, "policyengine_us": false, "policyengine_canada": false, "openfisca_france": false} {
		if got := len(policyengine.Differing(name)) > 0; got != want {
			t.Errorf("%s has differing variables: %t, want %t", name, got, want)
		}
	}
}
