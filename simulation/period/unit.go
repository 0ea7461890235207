package period

// Unit is the length that a period counts in.
type Unit uint8

// The units, in the order in which OpenFisca-Core lists them.
const (
	Weekday Unit = iota
	Week
	Day
	Month
	Year
	Eternity
)

var unitNames = [...]string{"weekday", "week", "day", "month", "year", "eternity"}

// unitWeights order the units by length; units of equal weight belong to different calendars.
var unitWeights = [...]int{100, 200, 100, 200, 300, 400}

// String returns the unit as it is written in periods and in legislation: "month".
func (u Unit) String() string {
	if int(u) < len(unitNames) {
		return unitNames[u]
	}
	return "unknown unit"
}

// Weight orders units by length: days and weekdays 100, weeks and months 200, years 300, eternity 400.
func (u Unit) Weight() int { return unitWeights[u] }

// ParseUnit reads the lower-case name of a unit.
func ParseUnit(name string) (Unit, bool) {
	for u, n := range unitNames {
		if n == name {
			return Unit(u), true
		}
	}
	return 0, false
}
