package population

import (
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// replicated is a job whose report has standard errors.
func replicated(t testing.TB, input, method string) *Job {
	j := landJob(t, input, "salary", "income")
	j.Analysis = &Analysis{Weight: "w", Income: "income", Equivalence: SquareRoot, By: []string{"region"}, Tolerance: 1, Replication: &Replication{Columns: []string{"r"}, Method: method}}
	return j
}

// TestRecordedStandardErrors holds standard errors and intervals to those of survey (testdata/replicates/answers.R).
func TestRecordedStandardErrors(t *testing.T) {
	f, err := os.Open("testdata/replicates/answers.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	reports := map[string]*Findings{}
	largest := 0.0
	for _, row := range rows[1:] {
		method, of, measure, region := row[0], row[1], row[2], row[3]
		if reports[method] == nil {
			name, _, _ := strings.Cut(method, ":")
			report, err := replicated(t, "testdata/replicates/"+name+".csv", method).Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			reports[method] = report.Findings
		}
		// The variable income has a mean over households, the distribution one over persons, which comes later.
		measure = strings.TrimSuffix(measure, " of households")
		var got *FigureError
		for i, e := range reports[method].Precision.Figures {
			if e.Of == of && e.Measure == measure && e.Value == region && got == nil {
				got = &reports[method].Precision.Figures[i]
			}
		}
		if got == nil {
			t.Fatalf("there is no %s %s", of, measure)
		}
		for i, have := range []Figure{got.Error.Base, got.Low.Base, got.High.Base} {
			want, err := strconv.ParseFloat(row[5+i], 64)
			if err != nil {
				t.Fatal(err)
			}
			// Amounts have 32 bits here.
			difference := math.Abs(float64(have)-want) / max(math.Abs(want), 1e-3)
			if largest = max(largest, difference); difference > 1e-6 {
				t.Errorf("%s: %s %s of %q, column %d: %v, want %v", method, of, measure, region, i, have, want)
			}
		}
	}
	t.Logf("%d figures, largest relative difference %v", len(rows)-1, largest)
}

// TestStandardErrorsOfAnyCut: standard errors do not depend on chunks and cores, and reports read them back.
func TestStandardErrorsOfAnyCut(t *testing.T) {
	j := replicated(t, "testdata/replicates/jackknife.csv", "jackknife")
	want, err := j.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		j.Chunk, j.Workers = 1+rand.IntN(60), 1+rand.IntN(3)
		got, err := j.Run(t.Context())
		if err != nil || asJSON(t, got.Findings) != asJSON(t, want.Findings) {
			t.Fatalf("chunks of %d on %d: %v", j.Chunk, j.Workers, err)
		}
	}
	var csvText, jsonText strings.Builder
	if err := want.Findings.WriteCSV(&csvText); err != nil {
		t.Fatal(err)
	}
	if err := want.Findings.WriteJSON(&jsonText); err != nil {
		t.Fatal(err)
	}
	a, err := readCSVReport([]byte(csvText.String()))
	if err != nil {
		t.Fatal(err)
	}
	b, err := readJSONReport([]byte(jsonText.String()))
	if err != nil || !reflect.DeepEqual(a.rows, b.rows) || hashRows(a.rows) != want.Findings.Figures() {
		t.Errorf("figures of the formats differ, %v", err)
	}
}

// TestEqualReplicates: replicates that are the sample itself have no standard error, for anything that is reported.
func TestEqualReplicates(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	lines := strings.Split(strings.TrimSpace(weighted(r, people(r, 60, false))), "\n")
	for i, line := range lines {
		fields := strings.Split(line, ",")
		w := fields[len(fields)-3]
		if lines[i] = line + "," + w + "," + w; i == 0 {
			lines[i] = line + ",r1,r2"
		}
	}
	j := analysed(t, file(t, t.TempDir(), "in.csv", strings.Join(lines, "\n")+"\n"))
	j.Analysis.Replication = &Replication{Columns: []string{"r"}, Method: "brr"}
	report, err := j.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range report.Findings.Precision.Figures {
		for i, f := range []*Figure{&e.Error.Base, e.Error.Reform, e.Error.Difference} {
			if f == nil || math.IsNaN(float64(*f)) {
				continue
			}
			if n++; math.Abs(float64(*f)) > 1e-9*math.Max(1, math.Abs(float64(e.High.Base))) {
				t.Errorf("%s %s of %s %s, side %d: standard error %v", e.Of, e.Measure, e.Column, e.Value, i, *f)
			}
		}
	}
	if n < 100 {
		t.Errorf("%d figures", n)
	}
}

func TestWrongReplicates(t *testing.T) {
	text := "person_id,household_id,salary,region,w,r1,r2\n1,1,100,a,2,1,3\n2,1,50,a,2,1,3\n"
	for name, test := range map[string]struct{ columns, method, from, to, want string }{
		"no such prefix": {"q", "brr", "", "", "two or more columns are needed"},
		"no such column": {"r1,r3", "brr", "", "", `there is no column "r3"`},
		"unknown method": {"r", "jack", "", "", `method "jack" of replicate weights is none of`},
		"rho":            {"r", "fay:1", "", "", `method "fay:1"`},
		"negative":       {"r", "brr", "2,1,3\n2", "2,1,-3\n2", "is no replicate weight"},
		"missing":        {"r", "brr", "2,1,3\n2", "2,1,\n2", "is no replicate weight"},
		"differing":      {"r", "brr", "50,a,2,1,3", "50,a,2,1,4", "replicate weight column 2: the weights of the household of person 2 differ: 3 and 4"},
	} {
		j := replicated(t, file(t, t.TempDir(), "in.csv", strings.Replace(text, test.from, test.to, 1)), test.method)
		j.Analysis.Replication.Columns = strings.Split(test.columns, ",")
		if _, err := j.Run(t.Context()); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}
