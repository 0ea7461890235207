package population

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"edict/platform/cores"
	"edict/simulation/statistics"
)

// Replicate weights are columns that each weight the sample as another draw would. Every figure of the report is computed again with
// each of them, medians and poverty lines too; the spread is the standard error.

// Replication names the columns of replicate weights, and their method.
type Replication struct {
	// Columns are names, or one prefix of names that end in a number.
	Columns []string
	Method  string // jackknife, brr, fay:RHO, bootstrap or sdr
}

// ReplicateMethods are the methods, for messages.
const ReplicateMethods = "jackknife, brr, fay:0.5, bootstrap or sdr"

// Scale returns the factor of the squared deviations of n replicates.
func (r *Replication) Scale(n int) (float64, error) {
	count := float64(n)
	switch r.Method {
	case "jackknife":
		return (count - 1) / count, nil
	case "brr", "bootstrap":
		return 1 / count, nil
	case "sdr":
		return 4 / count, nil
	}
	if text, ok := strings.CutPrefix(r.Method, "fay:"); ok {
		if rho, err := strconv.ParseFloat(text, 64); err == nil && rho >= 0 && rho < 1 {
			return 1 / (count * (1 - rho) * (1 - rho)), nil
		}
	}
	return 0, fmt.Errorf("method %q of replicate weights is none of %s", Shown(r.Method), ReplicateMethods)
}

// is reports whether a column is a replicate weight.
func (r *Replication) is(name string) bool {
	if r == nil {
		return false
	}
	if slices.Contains(r.Columns, name) {
		return true
	}
	if len(r.Columns) != 1 {
		return false
	}
	number, ok := strings.CutPrefix(name, r.Columns[0])
	if !ok || number == "" {
		return false
	}
	for _, c := range number {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// check rejects names that the file does not have, and fewer than two columns.
func (r *Replication) check(header []string) error {
	if _, err := r.Scale(2); err != nil {
		return err
	}
	found := r.find(header)
	if len(r.Columns) > 1 {
		for i, name := range r.Columns {
			if !slices.Contains(header, name) {
				return fmt.Errorf("there is no column %q%s", Shown(name), meant(name, slices.Values(header)))
			}
			if slices.Contains(r.Columns[:i], name) {
				return fmt.Errorf("column %q is named twice", Shown(name))
			}
		}
	}
	if len(found) < 2 {
		return fmt.Errorf("%s: two or more columns are needed: list them, or give the prefix of columns that end in a number", Shown(strings.Join(r.Columns, ",")))
	}
	return nil
}

// find returns the columns, in the order of the header.
func (r *Replication) find(header []string) (columns []int) {
	for i, name := range header {
		if r.is(name) {
			columns = append(columns, i)
		}
	}
	return columns
}

// replica holds the households that standard errors are computed from, or the persons if the report has no income.
type replica struct {
	count   int       // replicates
	weights []float64 // by unit, then replicate
	all     []portionOf
	by      [][]portionOf // by column
}

// portionOf is the members of a unit that belong to a value of a column, or all of them.
type portionOf struct {
	unit, value int32
	persons     float64
	totals      []memberTotal // by variable
}

// memberTotal adds up a variable over members whose value is a number.
type memberTotal struct {
	count  float64
	amount [2]float64
}

// replicate reads the replicate weights of a chunk and adds up its households. Classes are by person and column.
func (v *chunkView) replicate(classes [][]int32) error {
	columns := v.layout.analyst.replicates
	if columns == nil {
		return nil
	}
	of, units := func(person int) int { return person }, v.chunk.persons
	if at := v.layout.analyst.income; at >= 0 {
		of, units = v.groupOf(v.layout.outputs[at].variable.Entity), v.values[0][at].Len()
	}
	r := &replica{count: len(columns), weights: make([]float64, units*len(columns))}
	seen := make([]bool, units)
	numbers := make([]float64, v.chunk.persons)
	for k, column := range columns {
		if err := v.numbers(column, numbers); err != nil {
			return err
		}
		clear(seen)
		for person, w := range numbers {
			at := of(person)*r.count + k
			if unit := of(person); !seen[unit] {
				seen[unit], r.weights[at] = true, w
			} else if r.weights[at] != w {
				return fmt.Errorf("%s: replicate weight column %d: the weights of the household of person %d differ: %v and %v. Households need one for all members", v.Input, k+1, v.chunk.first+person+1, r.weights[at], w)
			}
		}
	}
	r.all = v.portions(make([]int32, v.chunk.persons), of)
	for _, class := range classes {
		r.by = append(r.by, v.portions(class, of))
	}
	v.finding.replica = r
	return nil
}

// numbers reads a column of weights.
func (v *chunkView) numbers(column int, out []float64) error {
	n := 0
	for _, s := range v.chunk.spans {
		for row := s.from; row < s.to; {
			if plain, ok := s.batch.(*csvBatch); ok {
				done := plainNumbers(out[n:n+s.to-row], plain, row, column)
				if i := slices.IndexFunc(out[n:n+done], func(w float64) bool { return !(w >= 0 && w <= maxWeight) }); i >= 0 {
					done = i
				}
				if n, row = n+done, row+done; row == s.to {
					break
				}
			}
			c := s.cell(row, column)
			w, err := c.positive(true)
			if err != nil {
				return fmt.Errorf("%s: %s: %s is no replicate weight: %w", v.Input, s.place(row), c, err)
			}
			out[n] = w
			n++
			row++
		}
	}
	return nil
}

// portions adds up persons and variables by unit and class.
func (v *chunkView) portions(classOf []int32, of func(int) int) []portionOf {
	type key struct{ unit, value int32 }
	var all []portionOf
	index := map[key]int32{}
	at := make([]int32, len(classOf))
	for person, class := range classOf {
		k := key{int32(of(person)), class}
		i, ok := index[k]
		if n := len(all); !ok && n > 0 && all[n-1].unit == k.unit && all[n-1].value == k.value {
			i, ok = int32(n-1), true
		}
		if !ok {
			i = int32(len(all))
			index[k] = i
			all = append(all, portionOf{unit: k.unit, value: class, totals: make([]memberTotal, v.layout.shown)})
		}
		all[i].persons++
		at[person] = i
	}
	for variable, o := range v.layout.outputs[:v.layout.shown] {
		if !addsUp(o.variable) {
			continue
		}
		base, reform := v.values[0][variable], v.values[1][variable]
		member, seen := v.groupOf(o.variable.Entity), make([]bool, base.Len())
		for person := range classOf {
			i := member(person)
			if seen[i] {
				continue
			}
			seen[i] = true
			x, y := amountOf(base, i), amountOf(reform, i)
			if math.IsNaN(x) || math.IsNaN(y) {
				continue
			}
			t := &all[at[person]].totals[variable]
			t.count++
			t.amount[0] += x
			t.amount[1] += y
		}
	}
	return all
}

// add takes over the replica of the next chunk; to has the numbers of its values here, by column.
func (r *replica) add(o *replica, to [][]int32) *replica {
	if r == nil {
		r = &replica{count: o.count, by: make([][]portionOf, len(o.by))}
	}
	units := int32(len(r.weights) / r.count)
	r.weights = append(r.weights, o.weights...)
	for _, p := range o.all {
		p.unit += units
		r.all = append(r.all, p)
	}
	for i := range o.by {
		for _, p := range o.by[i] {
			p.unit, p.value = p.unit+units, to[i][p.value]
			r.by[i] = append(r.by[i], p)
		}
	}
	return r
}

// finding returns the finding with the weights of replicate k.
func (r *replica) finding(f *finding, k int) *finding {
	out := &finding{households: slices.Clone(f.households), by: make([]breakdown, len(f.by))}
	weight := func(unit int32) float64 { return r.weights[int(unit)*r.count+k] }
	for i := range out.households {
		out.households[i].weight = weight(int32(i))
	}
	variables := len(f.everybody.variables)
	sum := func(to *aggregate, p *portionOf) {
		w := weight(p.unit)
		to.persons.Add(w * p.persons)
		for i := range p.totals {
			t := &p.totals[i]
			to.variables[i].weight.Add(w * t.count)
			to.variables[i].amount[0].Add(w * t.amount[0])
			to.variables[i].amount[1].Add(w * t.amount[1])
		}
	}
	out.everybody.variables = make([]total, variables)
	for i := range r.all {
		sum(&out.everybody, &r.all[i])
	}
	for i := range f.by {
		b := f.by[i]
		b.aggregates = make([]aggregate, len(b.names))
		for n := range b.aggregates {
			b.aggregates[n].variables = make([]total, variables)
		}
		for n := range r.by[i] {
			sum(&b.aggregates[r.by[i][n].value], &r.by[i][n])
		}
		out.by[i] = b
	}
	return out
}

// Precision is the standard errors of a report and its confidence intervals.
type Precision struct {
	Method     string        `json:"method"`
	Replicates int           `json:"replicates"`
	DF         int           `json:"degreesOfFreedom"`
	Level      float64       `json:"level"`
	Figures    []FigureError `json:"figures"`
}

// FigureError is the precision of a row of figures, named as in the CSV report.
type FigureError struct {
	Column  string `json:"column,omitempty"`
	Value   string `json:"value,omitempty"`
	Of      string `json:"of"`
	Measure string `json:"measure"`
	Error   Pair   `json:"standardError"`
	Low     Pair   `json:"low"`
	High    Pair   `json:"high"`
}

const confidence = 0.95

// precision computes the report again with every replicate.
func (s *subject) precision(f *finding, report *Findings) *Precision {
	r := f.replica
	scale, err := s.Analysis.Replication.Scale(r.count)
	if err != nil {
		return nil
	}
	estimates := report.values()
	deviations := make([][]float64, r.count)
	var group sync.WaitGroup
	next := make(chan int)
	for range cores.Count() {
		group.Go(func() {
			for k := range next {
				values := s.plain(r.finding(f, k)).values()
				d := make([]float64, 3*len(estimates))
				for i, row := range values {
					for side, x := range row.sides {
						d[3*i+side] = x - estimates[i].sides[side]
					}
				}
				deviations[k] = d
			}
		})
	}
	for k := range r.count {
		next <- k
	}
	close(next)
	group.Wait()
	p := &Precision{Method: s.Analysis.Replication.Method, Replicates: r.count, DF: r.count - 1, Level: confidence}
	t := statistics.StudentQuantile((1+confidence)/2, float64(p.DF))
	for i, row := range estimates {
		e := FigureError{Column: row.column, Value: row.value, Of: row.of, Measure: row.measure}
		for side := range row.present {
			var sum statistics.Sum
			for k := range deviations {
				d := deviations[k][3*i+side]
				sum.Add(d * d)
			}
			se := math.Sqrt(scale * sum.Value())
			e.Error.put(side, se)
			e.Low.put(side, row.sides[side]-t*se)
			e.High.put(side, row.sides[side]+t*se)
		}
		p.Figures = append(p.Figures, e)
	}
	return p
}

// put sets the base, the reform or the difference.
func (p *Pair) put(side int, x float64) {
	f := Figure(x)
	switch side {
	case 0:
		p.Base = f
	case 1:
		p.Reform = &f
	default:
		p.Difference = &f
	}
}

var errNoParts = errors.New("replicate weights need the whole file: compute it without --part")
