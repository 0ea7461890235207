package population

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"edict/platform/longtest"
	"edict/simulation/statistics"
)

// weighted adds columns to a population: a weight that households share, a region that they share, and a sex that they do not.
func weighted(r *rand.Rand, text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	weights, regions := map[string]string{}, map[string]string{}
	for i, line := range lines {
		if i == 0 {
			lines[i] = line + ",w,region,sex"
			continue
		}
		household := strings.Split(line, ",")[1]
		if weights[household] == "" {
			weight := r.IntN(400)
			if i == 1 {
				weight++ // a report on nobody is refused
			}
			weights[household], regions[household] = strconv.FormatFloat(float64(weight)/4, 'f', -1, 64), fmt.Sprint("r", r.IntN(3))
		}
		lines[i] = fmt.Sprintf("%s,%s,%s,%d", line, weights[household], regions[household], r.IntN(2))
	}
	return strings.Join(lines, "\n") + "\n"
}

// analysed is a job that compares the land with one without taxes and rents.
func analysed(t testing.TB, input string) *Job {
	t.Helper()
	j := landJob(t, input, "income", "tax", "student", "rich_land")
	b := j.System.Reform("untaxed")
	for _, name := range []string{"tax", "rent"} {
		if err := b.NeutralizeVariable(name); err != nil {
			t.Fatal(err)
		}
	}
	j.Reform = b.Build()
	j.Analysis = &Analysis{Weight: "w", Income: "income", Equivalence: SquareRoot, By: []string{"region", "sex"}, Tolerance: 1}
	return j
}

// TestFindingsOfAnyCut: the report is the same to the last bit whatever the size of the chunks and the number of cores.
func TestFindingsOfAnyCut(t *testing.T) {
	dir := t.TempDir()
	longtest.Checks(t, 25, 100)
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		input := file(t, dir, "in.csv", weighted(r, people(r, rapid.IntRange(1, 60).Draw(rt, "persons"), false)))
		j := analysed(t, input)
		want, err := (&pass{Job: j, whole: true}).run(context.Background())
		if err != nil {
			rt.Fatal(err)
		}
		j.Chunk, j.Workers = rapid.IntRange(1, 40).Draw(rt, "chunk"), rapid.IntRange(1, 4).Draw(rt, "workers")
		got, err := j.Run(context.Background())
		if err != nil {
			rt.Fatal(err)
		}
		if a, b := asJSON(t, got.Findings), asJSON(t, want.Findings); a != b {
			rt.Fatalf("%s\nwant\n%s", a, b)
		}
	})
}

func asJSON(t testing.TB, f *Findings) string {
	t.Helper()
	var out bytes.Buffer
	if err := f.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestFindings computes the report again from the rows that the job writes, person by person, and compares.
func TestFindings(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	dir := t.TempDir()
	input := file(t, dir, "in.csv", weighted(r, people(r, 300, false)))
	j := analysed(t, input)
	j.Output, j.ReportFile, j.Keep = filepath.Join(dir, "out.csv"), filepath.Join(dir, "report.json"), []string{"w", "region", "sex"}
	done, err := j.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(j.ReportFile)
	if err != nil || !json.Valid(text) || string(text) != asJSON(t, done.Findings) {
		t.Errorf("the report file does not have what the job found (%v):\n%s", err, text)
	}
	persons, households := rowsOf(t, filepath.Join(dir, "out.person.csv")), rowsOf(t, filepath.Join(dir, "out.household.csv"))
	again := recount{persons, households, sizes(persons)}
	again.check(t, "everybody", &done.Findings.Group, done.Findings, func(map[string]string) bool { return true })
	for _, by := range done.Findings.By {
		if len(by.Values) < 2 || !slices.IsSortedFunc(by.Values, func(a, b SplitValue) int { return strings.Compare(a.Value, b.Value) }) {
			t.Errorf("by %s: %d values, or not in order", by.Column, len(by.Values))
		}
		for i := range by.Values {
			v := &by.Values[i]
			again.check(t, by.Column+" "+v.Value, &v.Group, done.Findings, func(p map[string]string) bool { return p[by.Column] == v.Value })
		}
	}
}

func rowsOf(t *testing.T, name string) []map[string]string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, name := range records[0] {
			row[name] = record[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func sizes(persons []map[string]string) map[string]float64 {
	n := map[string]float64{}
	for _, p := range persons {
		n[p["household_id"]]++
	}
	return n
}

func num(row map[string]string, name string) float64 {
	f, err := strconv.ParseFloat(row[name], 32)
	if err != nil {
		panic(err)
	}
	return f
}

// recount is the rows of a job, to be added up once more, the plain way.
type recount struct {
	persons, households []map[string]string
	sizes               map[string]float64
}

func (rc *recount) check(t *testing.T, what string, g *Group, all *Findings, in func(map[string]string) bool) {
	t.Helper()
	same := func(name string, got Figure, want float64) {
		t.Helper()
		if !(math.Abs(float64(got)-want) <= 1e-9*max(1, math.Abs(want))) {
			t.Errorf("%s: %s is %v, want %v", what, name, got, want)
		}
	}
	byID := map[string]map[string]string{}
	for _, h := range rc.households {
		byID[h["household_id"]] = h
	}
	var base, reform []statistics.Observation
	weight, tax, students, winners := 0.0, 0.0, 0.0, 0.0
	seen := map[string]bool{}
	households := 0.0
	for _, p := range rc.persons {
		if !in(p) {
			continue
		}
		w, h := num(p, "w"), byID[p["household_id"]]
		scale := math.Sqrt(rc.sizes[p["household_id"]])
		weight += w
		tax += w * num(p, "tax")
		if p["student"] == "true" {
			students += w
		}
		base = append(base, statistics.Observation{Value: num(h, "income") / scale, Weight: w})
		reform = append(reform, statistics.Observation{Value: num(h, "income_reform") / scale, Weight: w})
		if num(h, "income_difference") >= 1 {
			winners += w
		}
		if !seen[p["household_id"]] {
			seen[p["household_id"]] = true
			households += w
		}
	}
	b, r := statistics.NewSample(base), statistics.NewSample(reform)
	same("persons", g.Persons, weight)
	same("households", g.Households, households)
	for _, v := range g.Variables {
		switch v.Variable {
		case "tax":
			same("tax", v.Total.Base, tax)
			same("mean tax", v.Mean.Base, tax/weight)
			same("tax of the reform", *v.Total.Reform, 0)
			same("difference of tax", *v.Total.Difference, -tax)
		case "student":
			same("students", v.Total.Base, students)
		}
	}
	won, counted := 0.0, 0.0
	for _, d := range g.Deciles {
		counted += float64(d.Persons)
		if d.Persons > 0 {
			won += float64(*d.Winners) * float64(d.Persons)
			same("shares of a decile", *d.Winners+*d.Losers+*d.Unchanged, 1)
		}
	}
	same("winners", Figure(won), winners)
	same("persons of all deciles", Figure(counted), weight)
	for _, m := range g.Incomes {
		switch m.Name {
		case "gini":
			same("gini", m.Base, b.Gini())
			same("gini of the reform", *m.Reform, r.Gini())
			same("difference of gini", *m.Difference, r.Gini()-b.Gini())
		case "povertyRate":
			same("poverty", m.Base, b.Poverty(float64(*all.Line)).Rate)
			same("poverty under the reform", *m.Reform, r.Poverty(float64(*all.Line)).Rate)
		}
	}
}

// TestModifiedOECD: 1 for the first of 14 or older, 0.5 for each other, 0.3 for each that is younger, by age on the first day.
func TestModifiedOECD(t *testing.T) {
	input := file(t, t.TempDir(), "in.csv", `household_id,household_role,birth,salary
1,parent,1980-05-05,1000
1,child,2003-01-01,1000
1,child,2003-01-02,1000
2,parent,1980-05-05,1000
3,child,2010-01-01,1000
3,child,2011-01-01,1000
`)
	j := landJob(t, input, "income")
	j.Analysis = &Analysis{Income: "income", Equivalence: ModifiedOECD}
	report, err := j.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	income := map[string]float64{}
	rows, err := run(t, j)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(rows["out.csv"]), "\n")[1:] {
		id, value, _ := strings.Cut(line, ",")
		income[id], _ = strconv.ParseFloat(value, 64)
	}
	want := (3*income["1"]/1.8 + income["2"] + 2*income["3"]/1.3) / 6
	if got := float64(report.Findings.Incomes[0].Base); math.Abs(got-want) > 1e-9*want {
		t.Errorf("the mean is %v, want %v of %v", got, want, income)
	}
}

// TestBadAnalysis: what is wrong is named with its place, and nothing is written.
func TestBadAnalysis(t *testing.T) {
	const good = "person_id,household_id,salary,w,region\na,1,1000,2,north\nb,1,0,2,south\nc,2,500,3,south\n"
	for name, c := range map[string]struct {
		input  string
		change func(*Job)
		want   string
	}{
		"negative weight":     {strings.Replace(good, ",3,", ",-3,", 1), nil, `line 4, column "w": "-3" is no weight`},
		"missing weight":      {strings.Replace(good, ",3,", ",,", 1), nil, `line 4, column "w": nothing is no weight`},
		"weight is text":      {strings.Replace(good, ",3,", ",many,", 1), nil, `column "w": "many" is no weight: a number is expected that is not negative`},
		"weights differ":      {strings.Replace(good, "0,2,south", "0,4,south", 1), nil, `line 3, column "w": the weights of household "1" differ: 2 and 4`},
		"no such weight":      {good, func(j *Job) { j.Analysis.Weight = "weigth" }, `--weight: there is no column "weigth"`},
		"no such income":      {good, func(j *Job) { j.Analysis.Income = "incom" }, "--income: "},
		"income is no amount": {good, func(j *Job) { j.Analysis.Income = "zone" }, "--income: zone is no amount"},
		"no such scale":       {good, func(j *Job) { j.Analysis.Equivalence = "oecd" }, `--equivalence: "oecd" is none of modified-oecd, sqrt, none, and there is no column of that name`},
		"scale is zero":       {strings.ReplaceAll(good, "north", "0"), func(j *Job) { j.Analysis.Equivalence = "region" }, `column "region": "0" is no scale`},
		"no such group":       {good, func(j *Job) { j.Analysis.By = []string{"regoin"} }, `--by: there is no column "regoin"; did you mean region?`},
		"nothing to keep":     {good, func(j *Job) { j.Keep = []string{"x"} }, `--keep: there is no column "x"`},
		"kind of report":      {good, func(j *Job) { j.ReportFile = "report.txt" }, "report.txt: the name of a report has to end in .json or .csv"},
	} {
		t.Run(name, func(t *testing.T) {
			j := landJob(t, file(t, t.TempDir(), "in.csv", c.input), "income")
			j.IgnoreUnknown = true
			j.Analysis = &Analysis{Weight: "w", Income: "income", Equivalence: SquareRoot}
			if c.change != nil {
				c.change(j)
			}
			_, err := run(t, j)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want %q in it", err, c.want)
			}
		})
	}
}
