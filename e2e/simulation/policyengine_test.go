package simulation_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"edict/cli"
	"edict/e2e"
)

// TestPolicyEngine serves a package named as PolicyEngine's are, and runs the golden files of its request form.
func TestPolicyEngine(t *testing.T) {
	const from = "../../simulation/yamltest/testdata/policyengine/feature_policy"
	dir := filepath.Join(t.TempDir(), "policyengine_ng")
	err := filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(dir, name), 0o755)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, name), []byte(strings.ReplaceAll(string(text), "feature_policy", "policyengine_ng")), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	e2e.GoldenSimulation(t, e2e.StartSimulation(t, func(c *cli.Config) { c.Simulation.Country = dir }), "testdata/policyengine/*.txtar")
}
