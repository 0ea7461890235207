package country_test

import (
	"testing"
	"testing/fstest"

	"edict/simulation/country"
	"edict/simulation/legislation"
)

// handing has a node that hands lists and texts down, and code that looks at metadata, changes them and copies them before the law is done.
const handing = `from pathlib import Path
from policyengine_core.entities import build_entity
from policyengine_core.model_api import *
from policyengine_core.parameters.operations import propagate_parameter_metadata, uprate_parameters
from policyengine_core.taxbenefitsystems import TaxBenefitSystem
Person = build_entity(key="person", plural="people", label="Person", doc="", is_person=True)
class CountryTaxBenefitSystem(TaxBenefitSystem):
    def __init__(self):
        super().__init__([Person])
        self.load_parameters(Path(__file__).parent / "parameters")
        root = self.parameters
        seen = [getattr(p, "metadata", {}).get("unit") for p in root.get_descendants()]
        assert "year" in seen, seen
        propagate_parameter_metadata(root)
        copy = root.gov.clone()
        root.gov.a.x.metadata["reference"].append("added")
        assert root.gov.b.y.metadata["reference"] is root.gov.metadata["reference"]
        copy.a.y.metadata["reference"].append("of the copy")
        root.gov.b.x.metadata["note"] = "own"
        uprate_parameters(propagate_parameter_metadata(root))
        root.add_child("copy", copy)
system = CountryTaxBenefitSystem()
`

const handed = "metadata:\n  propagate_metadata_to_children: true\n  unit: USD\n  uprating: prices\n  reference:\n    - first\n    - second\n"

// TestHandedDown: metadata that a node hands down are one object for everything below, whoever changes it, but for copies.
func TestHandedDown(t *testing.T) {
	value := func(rest string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("values:\n  2020-01-01: 2\n" + rest)}
	}
	src, err := country.OpenFS(fstest.MapFS{
		"handing/__init__.py":               {Data: []byte(handing)},
		"handing/parameters/prices.yaml":    {Data: []byte("values:\n  2020-01-01: 1\n  2021-01-01: 3\nmetadata:\n  unit: year\n")},
		"handing/parameters/gov/index.yaml": {Data: []byte(handed)},
		"handing/parameters/gov/a/x.yaml":   value("metadata:\n  unit: EUR\n  label: X\n"),
		"handing/parameters/gov/a/y.yaml":   value(""),
		"handing/parameters/gov/b/x.yaml":   value(""),
		"handing/parameters/gov/b/y.yaml":   value(""),
	}, "handing")
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := country.Load(t.Context(), country.Options{}, src)
	if err != nil {
		t.Fatal(err)
	}
	root := pkg.System.Parameters().Root
	for _, want := range []struct {
		path       []string
		references int
		unit, note string
		value      string
	}{
		{[]string{"gov", "a", "x"}, 3, "USD", "", "6.0"},
		{[]string{"gov", "a", "y"}, 3, "USD", "", "6.0"},
		{[]string{"gov", "b", "x"}, 3, "USD", "own", "6.0"},
		{[]string{"gov", "b", "y"}, 3, "USD", "", "6.0"},
		{[]string{"copy", "a", "x"}, 2, "USD", "", "2"},
		{[]string{"copy", "a", "y"}, 3, "USD", "", "2"},
	} {
		item, ok := root.Find(want.path...)
		if !ok {
			t.Fatalf("there is no %v", want.path)
		}
		metadata := item.Info().Metadata
		references, _ := metadata.Get("reference")
		unit, _ := metadata.Get("unit")
		note, _ := metadata.Get("note")
		unitText, _ := unit.Text()
		noteText, _ := note.Text()
		value := item.(*legislation.Parameter).Values[0].Value.Scalar
		if len(references.List) != want.references || unitText != want.unit || noteText != want.note || value.Repr(0) != want.value {
			t.Errorf("%v: %d references, unit %q, note %q, value %s; want %+v", want.path, len(references.List), unitText, noteText, value.Repr(0), want)
		}
	}
	first, _ := root.Find("gov", "b", "y")
	second, _ := root.Find("gov", "a", "y")
	if first.Info().Metadata.Map != second.Info().Metadata.Map {
		t.Error("parameters that say the same have metadata of their own")
	}
	if &first.(*legislation.Parameter).Values[0] != &second.(*legislation.Parameter).Values[0] {
		t.Error("parameters with the same values have values of their own")
	}
}
