package scenario

import (
	"fmt"
	"math"
	"slices"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// parseAxes reads axes as a list of dimensions, each a list of axes that vary together. All problems of the axes are
// reported at once.
func (s *Situation) parseAxes(d legislation.Data, byDefault *period.Period) error {
	if d.Kind != legislation.List || len(d.List) == 0 {
		return problem("Expected a list of dimensions, each a list of axes that vary together.", "axes")
	}
	var wrong Problems
	for i, dimension := range d.List {
		if dimension.Kind != legislation.List || len(dimension.List) == 0 {
			wrong = append(wrong, Problem{Path: []string{"axes", position(i)}, Msg: "Expected a list of axes that vary together."})
			continue
		}
		var parallel []Axis
		for j, item := range dimension.List {
			r := axisReader{situation: s, path: []string{"axes", position(i), position(j)}}
			parallel = append(parallel, r.read(item, byDefault))
			wrong = append(wrong, r.wrong...)
		}
		s.Axes = append(s.Axes, parallel)
	}
	if len(wrong) > 0 {
		return wrong
	}
	_, err := s.Cells()
	return err
}

type axisReader struct {
	situation *Situation
	path      []string
	wrong     Problems
}

func (r *axisReader) refuse(key, format string, args ...any) {
	r.wrong = append(r.wrong, Problem{Path: append(slices.Clip(r.path), key), Msg: fmt.Sprintf(format, args...)})
}

func (r *axisReader) read(item legislation.Data, byDefault *period.Period) Axis {
	var axis Axis
	if item.Kind != legislation.Mapping {
		r.wrong = append(r.wrong, Problem{Path: r.path, Msg: "Expected an object with name, min, max, count and period."})
		return axis
	}
	axis.Min, axis.Max = r.number(item, "min"), r.number(item, "max")
	axis.Count = int(r.whole(item, "count", 1, 1, MaxCells))
	axis.Variable = r.variable(item)
	if v := axis.Variable; v != nil && v.Type == legislation.EnumType && (axis.Min < 0 || axis.Max > float64(v.Enum.Len()-1)) {
		r.refuse("max", "'%s' varies by the number of its values, from min 0 to max %d.", v.Name, v.Enum.Len()-1)
	}
	axis.Period = r.period(item, byDefault)
	if axis.Variable != nil {
		axis.Path = []string{axis.Variable.Entity.Plural} // all that the original finds
	}
	members := math.MaxInt32
	if axis.Variable != nil {
		members = r.situation.count(axis.Variable.Entity)
	}
	axis.Index = int(r.whole(item, "index", 0, 0, int64(members)-1))
	return axis
}

func (r *axisReader) number(item legislation.Data, key string) float64 {
	d, ok := item.Get(key)
	if !ok || d.Kind != legislation.Scalar || !d.Scalar.Type().Number() || math.IsNaN(d.Scalar.Float(0)) || math.IsInf(d.Scalar.Float(0), 0) {
		r.refuse(key, "Expected a number.")
		return 0
	}
	return d.Scalar.Float(0)
}

func (r *axisReader) whole(item legislation.Data, key string, absent, least, most int64) int64 {
	d, ok := item.Get(key)
	if !ok && key == "index" {
		return absent
	}
	if !ok || d.Kind != legislation.Scalar || d.Scalar.Type() != vector.Int64 || d.Scalar.Int(0) < least || d.Scalar.Int(0) > most {
		r.refuse(key, "Expected a whole number from %d to %d.", least, most)
		return absent
	}
	return d.Scalar.Int(0)
}

func (r *axisReader) variable(item legislation.Data) *legislation.Variable {
	d, _ := item.Get("name")
	name, ok := d.Text()
	if !ok {
		r.refuse("name", "Expected the name of a variable.")
		return nil
	}
	v, err := r.situation.System.Lookup(name)
	if err != nil {
		r.wrong = append(r.wrong, Problem{Path: append(slices.Clip(r.path), "name"), Msg: textUnknownVariable(name, r.situation.System), NotFound: true})
		return nil
	}
	if !varies(v) {
		r.refuse("name", "'%s' cannot vary along an axis: its values are neither numbers nor those of an enumeration.", name)
	}
	return v
}

func (r *axisReader) period(item legislation.Data, byDefault *period.Period) period.Period {
	d, ok := item.Get("period")
	if !ok {
		if byDefault == nil {
			r.refuse("period", "Expected the period for which the variable varies.")
			return period.Period{}
		}
		return *byDefault
	}
	at, err := r.situation.System.ParsePeriod(pythonText(d))
	if err != nil {
		r.refuse("period", "%s", textPeriod(pythonText(d), err))
	}
	return at
}
