package country

import (
	"slices"
	"testing"

	py "edict/simulation/pyeval"
)

// TestPure lists what does not declare itself pure of what packages import from OpenFisca: it serves loading, and a formula
// that calls it is never remembered.
func TestPure(t *testing.T) {
	c, err := newCore(t.Context(), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var impure []string
	for name, v := range c.table() {
		switch o := v.Object().(type) {
		case *py.Builtin:
			if !o.Pure() {
				impure = append(impure, name)
			}
		case *py.Class:
			if o.New != nil && !o.Pure {
				impure = append(impure, name)
			}
		}
	}
	slices.Sort(impure)
	want := []string{
		"Draft", "Entity", "GroupEntity", "Parameter", "ParameterNode", "ParameterScale", "ParameterScaleBracket",
		"add_values", "build_entity", "find_reform", "load_parameter_file", "policyengine", "python_files", "spread", "uprate", "variables_of_file",
	}
	if !slices.Equal(impure, want) {
		t.Errorf("not declared pure: %q, want %q", impure, want)
	}
}
