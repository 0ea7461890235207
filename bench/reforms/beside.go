//go:build unix

package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

//go:embed reference.py
var script string

// referenceTimes are CPU seconds, one for each value.
type referenceTimes struct {
	Base, Derive, First, Second []float64
	Values                      [][]float64
}

// beside lets OpenFisca-Core do the same and prints both. The results must be equal.
func (b *bench) beside(w io.Writer, ours figures) error {
	values := []float64{b.value(1, 3), b.value(2, 3)}
	theirs, err := b.reference(values)
	if err != nil {
		return err
	}
	for i, value := range values {
		if err := b.same(value, theirs.Values[i]); err != nil {
			return err
		}
	}
	row := func(name string, ours time.Duration, theirs []float64) {
		var sum float64
		for _, t := range theirs {
			sum += 1e3 * t / float64(len(theirs))
		}
		fmt.Fprintf(w, "%-34s %10.2f %12.1f %8.0fx\n", name, ms(ours), sum, sum/ms(ours))
	}
	fmt.Fprintf(w, "%-34s %10s %12s %9s\n", "processor ms", "edict", "reference", "ratio")
	row("base", ours.base, theirs.Base)
	row("making the system", ours.derive, theirs.Derive)
	row("first: both sides (and the system)", ours.first, sum(theirs.Base, theirs.Derive, theirs.First))
	row("second: both sides", ours.second, sum(theirs.Base, theirs.Second))
	row("slider, median", ours.sliderMedian, sum(theirs.Base, theirs.Derive, theirs.First))
	return nil
}

// sum adds up lists of the same length.
func sum(lists ...[]float64) []float64 {
	out := make([]float64, len(lists[0]))
	for _, list := range lists {
		for i, v := range list {
			out[i] += v
		}
	}
	return out
}

// situationOf makes the situation of the first scenario, as OpenFisca's builder takes it.
func (b *bench) situationOf() (situation map[string]any, variable, at string, err error) {
	var body struct {
		Scenarios []struct {
			Period   string                      `json:"period"`
			TestCase map[string][]map[string]any `json:"test_case"`
		} `json:"scenarios"`
		Variables []string `json:"variables"`
	}
	if err := json.Unmarshal([]byte(b.body), &body); err != nil {
		return nil, "", "", err
	}
	at = body.Scenarios[0].Period
	situation = map[string]any{}
	for plural, members := range body.Scenarios[0].TestCase {
		entity := map[string]any{}
		for i, m := range members {
			id, ok := m["id"].(string)
			if !ok {
				id = fmt.Sprint(plural, i)
			}
			delete(m, "id")
			for name, v := range m {
				variable, err := b.pkg.System.Lookup(name)
				if err == nil && variable.Period.String() == "eternity" {
					m[name] = map[string]any{"ETERNITY": v}
				} else if err == nil {
					m[name] = map[string]any{at: v}
				} else if text, ok := v.(string); ok {
					m[name] = []string{text} // the holder of a role
				}
			}
			entity[id] = m
		}
		situation[plural] = entity
	}
	return situation, body.Variables[0], at, nil
}

func (b *bench) reference(values []float64) (theirs referenceTimes, err error) {
	situation, variable, at, err := b.situationOf()
	if err != nil {
		return theirs, err
	}
	ask, err := json.Marshal(map[string]any{
		"package": b.pkg.Source.Name, "situation": situation, "variable": variable, "period": at,
		"parameter": b.parameter, "day": b.day, "values": values,
	})
	if err != nil {
		return theirs, err
	}
	project := b.country
	if project == "" {
		project = "countries/france"
	}
	cmd := exec.Command(b.python, "-c", script)
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PYTHONPATH="+strings.Join([]string{project, filepath.Join(project, "src"), os.Getenv("PYTHONPATH")}, string(os.PathListSeparator)))
	cmd.Stdin, cmd.Stderr = bytes.NewReader(ask), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return theirs, err
	}
	return theirs, json.Unmarshal(out, &theirs)
}

// same wants our first result for a value to be that of the reference.
func (b *bench) same(value float64, want []float64) error {
	var answer struct {
		Value []map[string][]float64 `json:"value"`
	}
	_, text, err := b.send(b.body, fmt.Sprintf(`{"parameters":{%q:{%q:%v}}}`, b.parameter, b.day, value))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return err
	}
	_, variable, _, err := b.situationOf()
	if err != nil {
		return err
	}
	if got := answer.Value[0][variable]; len(got) > 0 && float32(got[0]) == float32(want[0]) {
		return nil
	}
	return fmt.Errorf("with %v the reference gives %v, edict %v", value, want, answer.Value)
}
