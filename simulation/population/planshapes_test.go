package population

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"edict/platform/longtest"
	"edict/simulation/country"
	"edict/simulation/legislation"
	"edict/simulation/period"
)

// A plan is recorded with persons of one kind and carried out for persons of all others. These tests make the kinds as
// different as can be, let each of them be the one that the plan is recorded with, and hold every byte against formulas.

// shape is a kind of persons.
type shape struct {
	name  string
	size  func(*rand.Rand) int // of a group
	skip  int                  // roles that nobody has, from the first
	value func(r *rand.Rand, v *legislation.Variable) string
}

// blockPersons is about how many persons of a shape follow each other.
const blockPersons = 40

var shapes = []shape{
	{"singles", func(*rand.Rand) int { return 1 }, 0, anyValue},
	{"couples", func(*rand.Rand) int { return 2 }, 0, anyValue},
	{"nobody has anything", func(r *rand.Rand) int { return 1 + r.IntN(4) }, 0, func(*rand.Rand, *legislation.Variable) string { return "" }},
	{"crowds", func(r *rand.Rand) int { return 9 + r.IntN(8) }, 0, anyValue},
	{"all alike", func(*rand.Rand) int { return 3 }, 0, sameValue},
	{"without the first role", func(r *rand.Rand) int { return 1 + r.IntN(3) }, 1, anyValue},
	{"extremes", func(r *rand.Rand) int { return 1 + r.IntN(5) }, 0, extremeValue},
}

func anyValue(r *rand.Rand, v *legislation.Variable) string {
	if r.IntN(4) == 0 {
		return ""
	}
	switch v.Type {
	case legislation.Bool:
		return fmt.Sprint(r.IntN(2))
	case legislation.Int:
		return fmt.Sprint(r.IntN(4))
	case legislation.Date:
		return fmt.Sprintf("%d-%02d-%02d", 1930+r.IntN(90), 1+r.IntN(12), 1+r.IntN(28))
	case legislation.EnumType:
		return v.Enum.Domain.Members[r.IntN(v.Enum.Len())]
	}
	return fmt.Sprintf("%.2f", r.Float64()*60000)
}

func sameValue(_ *rand.Rand, v *legislation.Variable) string {
	return anyValue(rand.New(rand.NewPCG(uint64(v.ID), 3)), v)
}

func extremeValue(r *rand.Rand, v *legislation.Variable) string {
	if v.Type == legislation.Float {
		return []string{"-12.5", "0", "1e9", "0.01", "3e-39", "-0.0", "16777217", "inf"}[r.IntN(8)]
	}
	return anyValue(r, v)
}

// shapedFile writes a block of persons of each shape, beginning with the first-th, and gives the size of the largest block.
func shapedFile(r *rand.Rand, s *legislation.System, inputs []*legislation.Variable, first int) (string, int) {
	header := []string{s.Person().Key + "_id"}
	for _, e := range s.Entities() {
		if !e.IsPerson {
			header = append(header, e.Key+"_id", e.Key+"_role")
		}
	}
	for _, v := range inputs {
		header = append(header, v.Name)
	}
	rows, largest, group := []string{strings.Join(header, ",")}, 0, 0
	for i := range shapes {
		before := len(rows)
		for len(rows) < before+blockPersons {
			rows = append(rows, shapes[(first+i)%len(shapes)].group(r, s, inputs, group, len(rows))...)
			group++
		}
		largest = max(largest, len(rows)-before)
	}
	return strings.Join(rows, "\n") + "\n", largest
}

// group writes the rows of a group; every other one has its members alone in the second entity.
func (k *shape) group(r *rand.Rand, s *legislation.System, inputs []*legislation.Variable, group, first int) []string {
	var rows []string
	size := k.size(r)
	ofGroup := map[legislation.VariableID]string{}
	for n := range size {
		cells := []string{fmt.Sprint("p", first+n)}
		for i, e := range s.Entities() {
			switch {
			case e.IsPerson:
			case i > 1 && group%2 == 1:
				cells = append(cells, fmt.Sprintf("%06d.%02d", group, n), roleOf(e, 0, 0))
			default:
				cells = append(cells, fmt.Sprintf("%06d.00", group), roleOf(e, n, k.skip))
			}
		}
		for _, v := range inputs {
			value := k.value(r, v)
			if known, ok := ofGroup[v.ID]; ok && !v.Entity.IsPerson {
				value = known
			}
			ofGroup[v.ID] = value
			if !v.Entity.IsPerson && group%2 == 1 {
				value = "" // who the groups are is another matter there
			}
			cells = append(cells, value)
		}
		rows = append(rows, strings.Join(cells, ","))
	}
	return rows
}

// roleOf is the role of the n-th member: roles are given away in order, as often as may be, without the first ones.
func roleOf(e *legislation.Entity, n, skip int) string {
	last := e.Flattened[len(e.Flattened)-1]
	for i, role := range e.Flattened {
		if i < skip {
			continue
		}
		room := role.Max
		if room == 0 && role != last {
			room = 1
		}
		if n < room || role == last {
			return role.Key
		}
		n -= room
	}
	return last.Key
}

// asked are variables of a system that can be given, or computed, for a period.
func asked(s *legislation.System, at period.Period, computed bool) []*legislation.Variable {
	var out []*legislation.Variable
	for _, v := range s.Variables() {
		fits := v.Period == at.Unit || v.Period == period.Eternity ||
			at.Unit == period.Year && v.Period == period.Month && v.Type == legislation.Float && (computed && !v.SizeIndependent || v.Input == legislation.DivideEqual)
		if fits && v.Type != legislation.String && (len(v.Formulas) > 0) == computed {
			out = append(out, v)
		}
	}
	return out
}

// planCheck compares plans with formulas for variables of a system.
type planCheck struct {
	system          *legislation.System
	at              period.Period
	input           string
	chunk           int
	compared, alone int
	played          int64
}

func (c *planCheck) job(variables []string, planned int) *Job {
	return &Job{System: c.system, Input: c.input, Variables: variables, Period: c.at, Chunk: c.chunk, Workers: 1, planned: planned}
}

// check compares as many variables at once as formulas can compute without an error.
func (c *planCheck) check(t *testing.T, variables []string) {
	t.Helper()
	formulas := c.job(variables, 1<<30)
	want, wrong := run(t, formulas)
	if wrong != nil && len(variables) > 1 {
		c.check(t, variables[:len(variables)/2])
		c.check(t, variables[len(variables)/2:])
		return
	}
	plan := c.job(variables, 12)
	plan.plans = &plans{}
	got, err := runPlanned(t, plan)
	if wrong != nil {
		if err == nil || err.Error() != wrong.Error() {
			t.Errorf("%v: %v with plans, %v without", variables, err, wrong)
		}
		c.alone++
		return
	}
	if err != nil {
		t.Fatalf("%v: %v with plans alone", variables, err)
	}
	for name, text := range want {
		if got[name] != text {
			t.Fatalf("%v: %s: %s", variables, name, firstDifference(got[name], text))
		}
	}
	c.compared += len(variables)
	c.played += int64(plan.plans.played())
}

// runPlanned is run of a job whose plans are looked at afterwards.
func runPlanned(t *testing.T, j *Job) (map[string]string, error) {
	t.Helper()
	dir := t.TempDir()
	j.Output = filepath.Join(dir, "out.csv")
	_, err := j.Run(context.Background())
	return contents(t, dir), err
}

// firstDifference shows where two tables part.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("\n%s\n%s\nwant\n%s", w[0], g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}

// mostCompared bounds how many variables of a package are compared for each shape; others are drawn for the next.
func mostCompared() int { return longtest.Pick(20, 160) }

// checkShapes lets every shape be what plans are recorded with, with other inputs each time.
func checkShapes(t *testing.T, s *legislation.System, at period.Period, most int) {
	t.Helper()
	given, computed := asked(s, at, false), asked(s, at, true)
	for first := range shapes {
		t.Run(shapes[first].name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(first), 17))
			inputs := slices.Clone(given)
			r.Shuffle(len(inputs), func(i, k int) { inputs[i], inputs[k] = inputs[k], inputs[i] })
			text, largest := shapedFile(r, s, inputs[:min(len(inputs), 30)], first)
			r.Shuffle(len(computed), func(i, k int) { computed[i], computed[k] = computed[k], computed[i] })
			c := &planCheck{system: s, at: at, input: file(t, t.TempDir(), "in.csv", text), chunk: largest}
			some := computed[:min(len(computed), mostCompared())]
			for batch := range slices.Chunk(some, most) {
				var names []string
				for _, v := range batch {
					names = append(names, v.Name)
				}
				c.check(t, names)
			}
			t.Logf("%d variables compared, %d chunks by plans, %d that formulas cannot compute", c.compared, c.played, c.alone)
			if c.played == 0 || c.compared == 0 {
				t.Error("no chunk was computed by a plan")
			}
		})
	}
}

// TestPlansOfShapes is about the land of the tests and the embedded legislation, and the packages that EDICT_COUNTRY lists.
func TestPlansOfShapes(t *testing.T) {
	const ofTheTests = "testdata/land"
	for _, place := range append([]string{ofTheTests, "../../countries/france"}, filepath.SplitList(os.Getenv("EDICT_COUNTRY"))...) {
		t.Run(filepath.Base(place), func(t *testing.T) {
			src, err := country.Open(place)
			if err != nil {
				t.Fatal(err)
			}
			p, err := country.Load(context.Background(), country.Options{}, src)
			if err != nil {
				t.Fatal(err)
			}
			most, periods := 20, []period.Period{period.OfYear(2017), period.OfMonth(2017, 1)}
			if place == ofTheTests {
				most, periods = 1, periods[1:] // many of its formulas need everybody
			}
			for _, at := range periods {
				t.Run(at.String(), func(t *testing.T) { checkShapes(t, p.System, at, most) })
			}
		})
	}
}
