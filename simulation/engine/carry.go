package engine

import (
	"edict/simulation/legislation"
	"edict/simulation/period"
)

// A formula by the month mostly does the same every month: it asks for other variables on its own month, and the law says
// what it said the month before. What it gave in one month is then what it gives in another, if it gets the same answers
// and says that it has seen nothing else of its month (legislation.Validity). So the holder of a variable keeps its last run,
// to be tried on the next month.

const (
	carryMisses = 3 // how many times in a row the last run may be of no use
	carryPause  = 8 // for how many runs the variable is left alone then
)

// carried is the last run of a variable's formula by the month, nil if there was none.
type carried struct {
	*memo
	misses int8
	pause  int8
}

// wanted tells whether to carry runs to a period, and from it.
func (k *carried) wanted(at *period.Entry) bool {
	if at.Unit != period.Month || at.Size != 1 || at.Start.Day != 1 {
		return false
	}
	if k.pause > 0 {
		k.pause--
		return false
	}
	return true
}

// serves tells whether the last run may be tried on a month.
func (k *carried) serves(at *period.Entry, formula *legislation.DatedFormula) bool {
	return k.memo != nil && k.formula == formula && k.months.Has(at.Start)
}

// missed counts that the last run was of no use, or will not be.
func (k *carried) missed() {
	if k.misses++; k.misses >= carryMisses {
		k.misses, k.pause = carryMisses-1, carryPause // one more is enough the next time
	}
}
