package simulation_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"edict/cli"
	"edict/e2e"
)

// TestTracedParameters: /trace tells the parameters that a formula read, however it read them, as OpenFisca-Core 46.0.1
// does (testdata/traced/parameters.json holds its answers). It still does once the same has been asked so often that
// /calculate plays it.
func TestTracedParameters(t *testing.T) {
	server := e2e.StartSimulation(t, func(c *cli.Config) {
		c.Simulation.Country = filepath.Join(e2e.UnpackCountry(t, "testdata/traced/package.txtar"), "openfisca_traced")
	})
	text, err := os.ReadFile("testdata/traced/parameters.json")
	if err != nil {
		t.Fatal(err)
	}
	var recorded map[string]map[string]any
	exactly(t, text, &recorded)
	if len(recorded) < 20 {
		t.Fatalf("only %d variables are recorded", len(recorded))
	}
	for variable, households := range recorded {
		for name, want := range households {
			body := tracedHousehold(variable, name)
			if got := tracedParameters(t, server.URL, variable, body); !reflect.DeepEqual(got, want) {
				t.Errorf("%s of %s read %v, want %v", variable, name, got, want)
			}
			for range 12 {
				e2e.Fetch(t, http.MethodPost, server.URL+"/calculate", body)
			}
			if got := tracedParameters(t, server.URL, variable, body); !reflect.DeepEqual(got, want) {
				t.Errorf("%s of %s read %v once it is known, want %v", variable, name, got, want)
			}
		}
	}
}

// exactly decodes JSON in which 1 and 1.0 are not the same.
func exactly(t *testing.T, text []byte, into any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
}

// tracedHousehold asks for a variable of one person or of three, the last of whom nothing is known about.
func tracedHousehold(variable, name string) string {
	const first = `"p0": {"zone": {"2017-03": "z2"}, "status": {"2017-03": "a"}, "born": {"ETERNITY": "1985-01-01"}, "n": {"2017-03": 1}, %[1]q: {"2017-03": null}}`
	const others = `, "p1": {"zone": {"2017-03": "z1"}, "status": {"2017-03": "b"}, "born": {"ETERNITY": "1995-01-01"}, "n": {"2017-03": 2}, %[1]q: {"2017-03": null}}, "p2": {%[1]q: {"2017-03": null}}`
	if name == "one" {
		return fmt.Sprintf(`{"persons": {`+first+`}, "houses": {"h": {"members": ["p0"]}}}`, variable)
	}
	return fmt.Sprintf(`{"persons": {`+first+others+`}, "houses": {"h": {"members": ["p0", "p1", "p2"]}}}`, variable)
}

func tracedParameters(t *testing.T, url, variable, body string) any {
	t.Helper()
	var answer struct {
		Trace map[string]struct{ Parameters any }
	}
	exactly(t, e2e.Fetch(t, http.MethodPost, url+"/trace", body), &answer)
	return answer.Trace[variable+"<2017-03>"].Parameters
}
