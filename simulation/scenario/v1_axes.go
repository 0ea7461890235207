package scenario

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// axes reads dimensions: each an axis, or a list of axes that vary together.
func (r *reader) axes(d legislation.Data) {
	for i, dimension := range d.List {
		items, path := []legislation.Data{dimension}, []string{"axes", strconv.Itoa(i)}
		if dimension.Kind == legislation.List {
			items = dimension.List
		}
		var parallel []Axis
		for j, item := range items {
			where := path
			if dimension.Kind == legislation.List {
				where = append(path[:2:2], strconv.Itoa(j))
			}
			parallel = append(parallel, r.axis(item, where))
		}
		if len(r.wrong) > 0 {
			continue
		}
		for j, axis := range parallel[min(1, len(parallel)):] {
			r.parallel(parallel[0], axis, append(path[:2:2], strconv.Itoa(j+1)))
		}
		if len(parallel) > 0 {
			r.s.Situation.Axes = append(r.s.Situation.Axes, parallel)
		}
	}
}

// parallel checks that an axis can vary together with the first of its dimension.
func (r *reader) parallel(first, axis Axis, path []string) {
	under := func(key string) []string { return append(slices.Clip(path), key) }
	switch {
	case axis.Count != first.Count:
		r.refuse("Parallel indexes must have the same count", under("count")...)
	case axis.Variable.Entity.Key != first.Variable.Entity.Key:
		r.refuse("Parallel indexes must belong to the same entity", under("name")...)
	case axis.Period.Unit != first.Period.Unit:
		r.refuse("Parallel indexes must have the same period unit", under("period")...)
	case axis.Period.Size != first.Period.Size:
		r.refuse("Parallel indexes must have the same period size", under("period")...)
	}
}

func (r *reader) axis(d legislation.Data, path []string) Axis {
	axis := Axis{Period: r.s.Period, Path: append(slices.Clone(r.at), path...)}
	under := func(key string) []string { return append(slices.Clip(path), key) }
	if d.Kind != legislation.Mapping {
		r.refuse("expected an object with name, min, max and count, got "+KindInWords(d), path...)
		return axis
	}
	for key := range d.Map.All() {
		switch key {
		case "count", "index", "max", "min", "name", "period":
		default:
			r.refuse("Unexpected item: an axis has name, min, max, count, index and period", under(key)...)
		}
	}
	wrong := len(r.wrong)
	axis.Min, axis.Max = r.axisNumber(d, "min", under("min")), r.axisNumber(d, "max", under("max"))
	if len(r.wrong) == wrong && axis.Min >= axis.Max {
		r.refuse(fmt.Sprintf("Max value must be greater than min value, got %v and %v", axis.Max, axis.Min), under("max")...)
	}
	axis.Count = r.axisWhole(d, "count", 1, MaxCells, true, under("count"))
	if at, ok := d.Get("period"); ok {
		p, err := ParsePeriod(at)
		if err != nil {
			r.refuse(err.Error(), under("period")...)
		}
		axis.Period = p
	}
	name, _ := d.Get("name")
	text, ok := name.Text()
	if !ok {
		r.refuse("Missing value", under("name")...)
		return axis
	}
	v, err := r.system.Lookup(text)
	if err != nil {
		r.refuse(fmt.Sprintf("Variable %q does not exist%s", text, r.nearName(r.system.Person(), text)), under("name")...)
		return axis
	}
	if !varies(v) {
		r.refuse("Invalid type for axe: integer or float expected", under("name")...)
	}
	if v.Type == legislation.EnumType && (axis.Min < 0 || axis.Max > float64(v.Enum.Len()-1)) {
		r.refuse(fmt.Sprintf("%s varies by the number of its values, from min 0 to max %d", v.Name, v.Enum.Len()-1), under("max")...)
	}
	axis.Variable = v
	axis.Axis.Index = r.axisWhole(d, "index", 0, math.MaxInt32, false, under("index"))
	if n := r.s.Situation.count(v.Entity); axis.Axis.Index >= n {
		r.refuse(fmt.Sprintf("Index must be lower than %d", n), under("index")...)
	}
	return axis
}

func (r *reader) axisNumber(d legislation.Data, key string, path []string) float64 {
	n, ok := d.Get(key)
	switch {
	case !ok:
		r.refuse("Missing value", path...)
	case n.Kind != legislation.Scalar || !n.Scalar.Type().Number() || n.Scalar.Type() == vector.Bool:
		r.refuse("expected a number, got "+KindInWords(n), path...)
	default:
		return n.Scalar.Float(0)
	}
	return 0
}

func (r *reader) axisWhole(d legislation.Data, key string, least, most int64, required bool, path []string) int {
	n, ok := d.Get(key)
	switch {
	case !ok && !required:
	case !ok:
		r.refuse("Missing value", path...)
	case n.Kind != legislation.Scalar || n.Scalar.Type() != vector.Int64:
		r.refuse("Value must be an integer", path...)
	case n.Scalar.Int(0) < least:
		r.refuse(fmt.Sprintf("Value must be greater than or equal to %d", least), path...)
	case n.Scalar.Int(0) > most:
		r.refuse(fmt.Sprintf("Value must be less than or equal to %d", most), path...)
	default:
		return int(n.Scalar.Int(0))
	}
	return int(least)
}
