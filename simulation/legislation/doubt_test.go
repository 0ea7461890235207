package legislation

import (
	"testing"

	"edict/simulation/period"
)

const doubtLaw = `
scale:
  brackets:
    - threshold: {2010-01-01: 0}
      rate: {2010-01-01: 0.1, 2015-01-01: 0}
    - threshold: {2010-01-01: 100, 2020-01-01: null}
      rate: {2010-01-01: 0.45, 2020-01-01: null}
amount: {values: {2010-01-01: 7}}
switch: {values: {2010-01-01: 0, 2012-01-01: 1}}
`

// TestDoubts: values that are hardly meant are named, whatever else a reform changes; ordinary ones are not.
func TestDoubts(t *testing.T) {
	d, err := ParseYAML("law.yaml", []byte(doubtLaw))
	if err != nil {
		t.Fatal(err)
	}
	root, err := BuildParameter("", d, "law.yaml", KnownKeys)
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewBuilder(NewNames(), Profile{}, NewPerson("person", "persons", "", ""))
	if err != nil {
		t.Fatal(err)
	}
	b.SetParameters(root.(*ParameterNode))
	system, year := b.Build(), period.OfYear(2024)
	const unused = "scale.brackets[1].rate: the bracket has no threshold in 2024, so the value has no effect"
	for set, want := range map[string]string{
		"scale.brackets[0].rate=14":                "scale.brackets[0].rate: 14 is far from what the parameter has been, 0 to 0.1; 14 % is written 0.14",
		"scale.brackets[0].rate=-0.1@2024-01-01":   "scale.brackets[0].rate: -0.1 is far from what the parameter has been, 0 to 0.1; 14 % is written 0.14",
		"scale.brackets[0].rate=0.5":               "",
		"scale.brackets[0].threshold=14":           "",
		"scale.brackets[1].rate=0.5":               unused,
		"scale.brackets[1].rate=0.5@2024-01-01":    unused,
		"scale.brackets[1].threshold=9@2023-01-01": "",
		"amount=700": "",
		"switch=14":  "",
	} {
		r, err := ParseSet(set)
		if err != nil {
			t.Fatal(err)
		}
		made, wrong := system.Derive(r)
		if len(wrong) > 0 {
			t.Fatal(wrong)
		}
		got := ""
		for _, text := range system.Doubts(made, &year, r) {
			got += text
		}
		if got != want {
			t.Errorf("%s: %q, want %q", set, got, want)
		}
	}
	// A bracket that the reform brings into use is, and so is one that was in use on some day of the change.
	rate, _ := ParseSet("scale.brackets[1].rate=0.5")
	threshold, _ := ParseSet("scale.brackets[1].threshold=9@2023-01-01")
	made, wrong := system.Derive(rate, threshold)
	if len(wrong) > 0 || len(system.Doubts(made, &year, rate, threshold)) > 0 {
		t.Errorf("%v, %q", wrong, system.Doubts(made, &year, rate, threshold))
	}
	made, wrong = system.Derive(rate)
	if len(wrong) > 0 || len(system.Doubts(made, nil, rate)) > 0 {
		t.Errorf("%v, %q", wrong, system.Doubts(made, nil, rate))
	}
}
