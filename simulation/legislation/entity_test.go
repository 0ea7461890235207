package legislation

import "testing"

// TestConstant finds roles by their keys in upper case, and no others.
func TestConstant(t *testing.T) {
	e := &Entity{Roles: []*Role{{Key: "first_parent2", Subroles: []*Role{{Key: "aîné"}, {Key: "ß"}}}, {Key: "child"}}}
	for name, key := range map[string]string{
		"FIRST_PARENT2": "first_parent2", "AÎNÉ": "aîné", "SS": "", "CHILD": "child",
		"child": "", "CHIL": "", "CHILDS": "", "aÎNÉ": "", "": "", "FIRST_PARENT": "",
	} {
		got := ""
		if r := e.Constant(name); r != nil {
			got = r.Key
		}
		if got != key {
			t.Errorf("%s is role %q, want %q", name, got, key)
		}
	}
}
