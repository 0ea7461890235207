package population_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"edict/cli"
	"edict/e2e"
)

// TestHDF5EqualsCSV: the same persons in a CSV file and in an HDF5 file of pandas have the same rows and report, on the command line and over HTTP.
func TestHDF5EqualsCSV(t *testing.T) {
	server := e2e.Start(t, e2e.Options{Program: e2e.Binary(t), Configure: func(c *cli.Config) { c.Simulation.Populations = "open" }})
	dir := t.TempDir()
	four := e2e.ReadFile(t, "testdata/four.h5")
	var sent, computed []string
	for name, content := range map[string]string{"four.csv": e2e.FourPersons, "four.h5": four} {
		body, contentType := form(t, [3]string{"options", "", e2e.FourOptions}, [3]string{"file", name, content})
		status, header, answer := e2e.Exchange(t, "POST", server.URL+"/api/2/populations", "", contentType, body)
		if status != 202 {
			t.Fatalf("%s: %d %s", name, status, answer)
		}
		here := server.URL + header.Get("Location")
		e2e.Exchange(t, "GET", here+"/events", "", "", "") // ends with the population
		_, _, rows := e2e.Exchange(t, "GET", here+"/rows?entity=menage", "", "", "")
		_, _, report := e2e.Exchange(t, "GET", here+"/report?format=table", "", "", "")
		sent = append(sent, rows+report)

		input := filepath.Join(dir, name)
		if err := os.WriteFile(input, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		output := filepath.Join(dir, name+".out.csv")
		if status, _, stderr := e2e.Command(t, "population", "--input", input, "--output", output, "--variables", "revdisp", "--period", "2022", "--ignore-unknown", "--data", filepath.Join(dir, "data")); status != 0 {
			t.Fatalf("%s: %s", name, stderr)
		}
		computed = append(computed, e2e.ReadFile(t, output))
	}
	if sent[0] != sent[1] || strings.Count(sent[0], "\n") < 10 {
		t.Errorf("over HTTP:\n%s\nand\n%s", sent[0], sent[1])
	}
	if computed[0] != computed[1] || strings.Count(computed[0], "\n") != 3 {
		t.Errorf("on the command line:\n%s\nand\n%s", computed[0], computed[1])
	}
}
