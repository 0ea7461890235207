package country

import (
	"strings"

	"edict/simulation/period"
	py "edict/simulation/pyeval"
)

// Units of time are texts in Python ("month"), as in OpenFisca-Core, where they are members of an enumeration of texts as well:
// they have a name and a value.

func toUnit(th *py.Thread, v py.Value) period.Unit {
	text, _ := v.AsString()
	u, ok := period.ParseUnit(strings.ToLower(text))
	if !ok {
		th.Raise(py.ValueError, "%s is not a unit of time: use day, week, weekday, month, year or eternity", th.Repr(v))
	}
	return u
}

// unitAttr finds the name and the value of a text that is a unit.
func unitAttr(text, name string) (py.Value, bool) {
	if _, ok := period.ParseUnit(text); !ok {
		return py.Value{}, false
	}
	switch name {
	case "name":
		return py.String(strings.ToUpper(text)), true
	case "value":
		return py.String(text), true
	}
	return py.Value{}, false
}
