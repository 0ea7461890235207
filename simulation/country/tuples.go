package country

import (
	"edict/simulation/period"
	py "edict/simulation/pyeval"
)

// Periods and instants are tuples to Python: (unit, start, size) and (year, month, day).

// Item implements pyeval.Indexer.
func (o *entryObject) Item(th *py.Thread, key py.Value) py.Value {
	return th.Index(periodTuple(o.Period), key)
}

// Item implements pyeval.Indexer.
func (o plainPeriod) Item(th *py.Thread, key py.Value) py.Value {
	return th.Index(periodTuple(o.Period), key)
}

// Item implements pyeval.Indexer.
func (o instantObject) Item(th *py.Thread, key py.Value) py.Value {
	return th.Index(instantTuple(o.Instant), key)
}

// Len implements pyeval.Lener.
func (*entryObject) Len(*py.Thread) int { return 3 }

// Len implements pyeval.Lener.
func (plainPeriod) Len(*py.Thread) int { return 3 }

// Len implements pyeval.Lener.
func (instantObject) Len(*py.Thread) int { return 3 }

func periodTuple(p period.Period) py.Value {
	return py.NewTuple([]py.Value{py.String(p.Unit.String()), instantValue(p.Start), py.Int(int64(p.Size))})
}

func instantTuple(i period.Instant) py.Value {
	return py.NewTuple([]py.Value{py.Int(int64(i.Year)), py.Int(int64(i.Month)), py.Int(int64(i.Day))})
}
