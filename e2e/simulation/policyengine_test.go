package simulation_test

import (
	"testing"

	"edict/cli"
	"edict/e2e"
)

// TestPolicyEngine serves a package named as PolicyEngine's are, and runs the golden files of its request form.
func TestPolicyEngine(t *testing.T) {
	dir := e2e.UnpackPolicy(t, "../../simulation")
	e2e.GoldenSimulation(t, e2e.StartSimulation(t, func(c *cli.Config) { c.Simulation.Country = dir }), "testdata/policyengine/*.txtar")
}
