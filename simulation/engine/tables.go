package engine

import (
	"sync"

	"edict/simulation/vector"
)

// tables are a special program of which what follows from days alone is looked up, once more rows were computed than there are days.
type tables struct {
	mu          sync.Mutex
	of          *vector.Program
	rows        int64 // that it was wanted for
	byDay       *vector.ByDay
	looked      bool // for byDay
	made        int
	quick       *vector.Program // nil until it is made
	first, last int64           // days that quick holds for
}

const (
	leastTabled = 16 << 10 // rows from which on a table may be worth it
	moreDays    = 5 * 365  // before and after those that were seen: others will be born there
	maxTables   = 4
)

// program gives the program with tables that does what another one does to inputs, nil if there is none yet.
func (t *tables) program(y *vector.Player, of *vector.Program, rules *vector.Rules, inputs []vector.Column) *vector.Program {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of != of {
		t.of, t.rows, t.byDay, t.looked, t.made, t.quick = of, 0, nil, false, 0, nil
	}
	if t.rows += rowsOf(inputs); t.rows < leastTabled {
		return nil
	}
	if !t.looked {
		t.byDay, t.looked = of.ByDay(inputs), true
	}
	if t.byDay == nil {
		return nil
	}
	first, last, ok := t.byDay.Days(inputs)
	if !ok {
		return nil
	}
	if t.quick != nil && t.first <= first && last <= t.last {
		return t.quick
	}
	first, last = first-moreDays, last+moreDays
	if t.quick != nil {
		first, last = min(first, t.first), max(last, t.last)
	}
	if t.made == maxTables || t.rows < last-first {
		return nil
	}
	t.made++
	t.quick, t.first, t.last = t.byDay.Program(y, rules, first, last), first, last
	return t.quick
}

// rowsOf is how many rows the longest of some columns has.
func rowsOf(columns []vector.Column) (rows int64) {
	for _, c := range columns {
		rows = max(rows, int64(c.Len()))
	}
	return rows
}
