package population

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"edict/simulation/country"
	"edict/simulation/legislation"
	"edict/simulation/period"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// land is the country of testdata.
var land = sync.OnceValues(func() (*legislation.System, error) {
	src, err := country.Open("testdata/land")
	if err != nil {
		return nil, err
	}
	p, err := country.Load(context.Background(), country.Options{}, src)
	if err != nil {
		return nil, err
	}
	return p.System, nil
})

func landJob(t testing.TB, input string, variables ...string) *Job {
	t.Helper()
	system, err := land()
	if err != nil {
		t.Fatal(err)
	}
	return &Job{System: system, Input: input, Variables: variables, Period: period.OfMonth(2017, 1), planned: 4}
}

// file writes a file of the test.
func file(t testing.TB, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// run runs a job and returns its files by name.
func run(t testing.TB, j *Job) (map[string]string, error) {
	t.Helper()
	dir, err := os.MkdirTemp("", "population")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if j.Output == "" {
		j.Output = "out.csv"
	}
	copied := *j
	copied.Output = filepath.Join(dir, j.Output)
	if _, err := copied.Run(context.Background()); err != nil {
		left, _ := os.ReadDir(dir)
		if len(left) > 0 {
			t.Errorf("a job that failed left %v", left)
		}
		return nil, err
	}
	return contents(t, dir), nil
}

func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = string(text)
	}
	return out
}

// whole computes a job in one simulation that holds everybody.
func whole(t testing.TB, j *Job) map[string]string {
	t.Helper()
	dir := t.TempDir()
	copied := *j
	copied.Output = filepath.Join(dir, "out.csv")
	if _, err := (&pass{Job: &copied, whole: true}).run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return contents(t, dir)
}

func TestOutput(t *testing.T) {
	input := file(t, t.TempDir(), "in.csv", `person_id,household_id,household_role,salary,birth,student,nickname,rent,zone,children
ann,h1,first_parent,2000,1985-03-02,false,"O'Neil, ""A""",500,north,2
bob,h1,child,0.1,,TRUE,bob,500,,
cy,h2,parent,1234.567,1960-12-31,1,,,nowhere,1
dee,,,,,,,,,
`)
	j := landJob(t, input, "salary", "birth", "student", "nickname", "children", "tax", "zone", "income", "dues", "income:2017-02")
	got, err := run(t, j)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"out.person.csv": `person_id,household_id,salary,birth,student,nickname,children,tax
ann,h1,2000,1985-03-02,false,"O'Neil, ""A""",2,350
bob,h1,0.1,1980-01-01,true,bob,0,-249.97
cy,h2,1234.567,1960-12-31,true,,1,370.37012
dee,dee,0,1980-01-01,false,,0,0
`,
		"out.household.csv": `household_id,zone,income,income:2017-02
h1,north,1500.1,0
h2,nowhere,1234.567,0
dee,south,0,0
`,
		"out.club.csv": `club_id,dues
ann,2003.5
bob,3.6
cy,1238.067
dee,3.5
`,
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s:\n%s\nwant\n%s", name, got[name], text)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
}

// TestPeriods asks for amounts of months over a year, and gives them for a year.
func TestPeriods(t *testing.T) {
	input := file(t, t.TempDir(), "in.csv", "salary,salary@2017-03,rent:2017-01\n1200,100,7\n")
	j := landJob(t, input, "salary", "salary:2017-02", "income", "zone")
	j.Period = period.OfYear(2017)
	got, err := run(t, j)
	if err != nil {
		t.Fatal(err)
	}
	if want := "person_id,salary,salary:2017-02\n1,1200,100\n"; got["out.person.csv"] != want {
		t.Errorf("got %q, want %q", got["out.person.csv"], want)
	}
	if want := "household_id,income,zone\n1,1193,south\n"; got["out.household.csv"] != want {
		t.Errorf("got %q, want %q", got["out.household.csv"], want)
	}
}

// people writes a random population, groups together and numbered in order unless told otherwise.
func people(r *rand.Rand, n int, shuffled bool) string {
	var rows []string
	household, club := 0, 0
	for i := 0; i < n; household++ {
		size := 1 + r.IntN(4)
		if r.IntN(3) == 0 {
			club++
		}
		for k := 0; k < size && i < n; k, i = k+1, i+1 {
			role := []string{"parent", "parent", "child", "child"}[k]
			rent, zone := "", ""
			if k == 0 {
				rent, zone = fmt.Sprint(r.IntN(900)), []string{"north", "south", ""}[r.IntN(3)]
			}
			rows = append(rows, fmt.Sprintf("p%d,%d,%s,%d,%.2f,%s,%s", i, household, role, club, r.Float64()*5000, rent, zone))
		}
	}
	if shuffled {
		r.Shuffle(len(rows), func(i, k int) { rows[i], rows[k] = rows[k], rows[i] })
	}
	return "person_id,household_id,household_role,club_id,salary,rent,zone\n" + strings.Join(rows, "\n") + "\n"
}

// computed are the variables of the land that have formulas, by how their formulas see the population.
var (
	byRow     = []string{"tax", "income", "dues", "place", "youngest", "sized", "mapped", "masked", "tabled", "zoned", "corner", "nothing"}
	byAnswers = []string{"rich_land", "ladder"}
	byAll     = []string{"share", "above_mean", "counted", "looped", "kinds", "filtered", "chosen", "unfolded", "caught"}
)

// TestSame computes random populations in chunks of many sizes, on several cores: every byte must be that of one
// simulation of everybody.
func TestSame(t *testing.T) {
	names := slices.Concat(byRow, byAnswers, byAll)
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		n := rapid.IntRange(1, 60).Draw(rt, "persons")
		shuffled := rapid.IntRange(0, 9).Draw(rt, "order") == 0
		input := file(t, dir, "in.csv", people(r, n, shuffled))
		some := rapid.SliceOfNDistinct(rapid.SampledFrom(names), 1, 4, rapid.ID[string]).Draw(rt, "variables")
		j := landJob(t, input, some...)
		want := whole(t, j)
		j.Chunk, j.Workers = rapid.IntRange(1, 40).Draw(rt, "chunk"), rapid.IntRange(1, 4).Draw(rt, "workers")
		got, err := run(t, j)
		if err != nil {
			rt.Fatal(err)
		}
		for name, text := range want {
			if got[name] != text {
				rt.Fatalf("%s\n%s\nwant\n%s", name, got[name], text)
			}
		}
	})
}

// byMonth are formulas that do something else with their period each.
var byMonth = []string{"steady", "taxed", "by_node", "by_item", "by_child", "dated", "scaled", "elsewhere", "before_june", "chained", "by_month", "by_start",
	"by_text", "by_key", "by_order", "by_part", "by_days", "inside", "absolute", "backward", "rolled", "firsts", "asked_all", "aged", "looked", "mended"}

// TestMonths asks for many months, in several orders: what was computed on one may serve another, and must be what the formula
// gives there.
func TestMonths(t *testing.T) {
	input := file(t, t.TempDir(), "in.csv", people(rand.New(rand.NewPCG(3, 3)), 40, false))
	var months []string
	for year := 2016; year < 2018; year++ {
		for month := range 12 {
			months = append(months, fmt.Sprintf("%d-%02d", year, month+1))
		}
	}
	for _, name := range byMonth {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, 5))
			for range 4 {
				var asked []string
				for _, month := range months {
					asked = append(asked, name+":"+month)
				}
				j := landJob(t, input, asked...)
				j.afresh = true
				want := whole(t, j)
				j.afresh, j.Chunk = false, 15
				got, err := run(t, j)
				if err != nil {
					t.Fatal(err)
				}
				if got["out.csv"] != want["out.csv"] {
					t.Fatalf("%v:\n%s\nwant\n%s", asked, got["out.csv"], want["out.csv"])
				}
				r.Shuffle(len(months), func(i, j int) { months[i], months[j] = months[j], months[i] })
			}
		})
	}
}

// TestWays makes sure that each kind of formula is computed the way it is meant to be: only those that need everybody at
// once get everybody at once.
func TestWays(t *testing.T) {
	input := file(t, t.TempDir(), "in.csv", people(rand.New(rand.NewPCG(7, 7)), 500, false))
	for way, names := range map[string][]string{"": byRow, "computed again": byAnswers, "in one chunk": byAll[:len(byAll)-1]} {
		for _, name := range names {
			t.Run(name, func(t *testing.T) {
				j := landJob(t, input, name)
				var told []string
				j.Notice, j.Chunk = func(s string, _ bool) { told = append(told, s) }, 100
				got, err := run(t, j)
				if err != nil {
					t.Fatal(err)
				}
				if text := strings.Join(told, "\n"); way == "" && text != "" || !strings.Contains(text, way) {
					t.Errorf("told %q, want %q", text, way)
				}
				if want := whole(t, j)["out.csv"]; got["out.csv"] != want {
					t.Error("other numbers than everybody at once")
				}
			})
		}
	}
}

// TestScattered has the members of groups apart from each other, or in an order that is not that of numbers.
func TestScattered(t *testing.T) {
	dir := t.TempDir()
	for name, order := range map[string]struct{ ids, notice string }{
		"falling": {"9 9 8 8 7 7 3 3 2 2 1 1", ""},
		"named":   {"x x c c a a z z q q b b", ""},
		"apart":   {"1 1 2 2 3 3 1 4 4 5 5 6", `line 8: household "1" continues here`},
	} {
		t.Run(name, func(t *testing.T) {
			text := "household_id,salary\n"
			for i, id := range strings.Fields(order.ids) {
				text += fmt.Sprintf("%s,%d\n", id, 100*i)
			}
			j := landJob(t, file(t, dir, name+".csv", strings.ReplaceAll(text, "household_id", "club_id")), "dues", "salary")
			want := whole(t, j)
			var told string
			j.Chunk, j.Notice = 2, func(s string, _ bool) { told += s }
			got, err := run(t, j)
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range want {
				if got[name] != text {
					t.Errorf("%s\n%s\nwant\n%s", name, got[name], text)
				}
			}
			if notice := strings.ReplaceAll(order.notice, "household", "club"); !strings.Contains(told, notice) || notice == "" && told != "" {
				t.Errorf("told %q, want %q", told, notice)
			}
		})
	}
}

// TestParquet goes from CSV to Parquet and back.
func TestParquet(t *testing.T) {
	dir := t.TempDir()
	text := "person_id,club_id,salary,birth,student,nickname,children,fee\n"
	r := rand.New(rand.NewPCG(3, 3))
	for i := range 300 {
		fields := []string{fmt.Sprint("p", i), fmt.Sprint(i / 3), fmt.Sprint(r.Float32() * 1e4), fmt.Sprintf("19%02d-%02d-11", r.IntN(99), 1+r.IntN(12)), fmt.Sprint(i%2 == 0), "né \"" + fmt.Sprint(i) + "\"", fmt.Sprint(r.IntN(9)), ""}
		fields[r.IntN(6)+2] = ""
		fields[5] = strconv.Quote(strings.ReplaceAll(fields[5], `"`, `'`))
		text += strings.Join(fields, ",") + "\n"
	}
	input := file(t, dir, "in.csv", text)
	given := []string{"salary", "birth", "student", "nickname", "children"}
	j := landJob(t, input, given...)
	j.Output = "in.parquet"
	first, err := run(t, j)
	if err != nil {
		t.Fatal(err)
	}
	j.Chunk = 7
	if again, err := run(t, j); err != nil || again["in.parquet"] != first["in.parquet"] {
		t.Errorf("other bytes with smaller chunks (%v)", err)
	}
	j.Output, j.Chunk = "out.csv", 0
	want, err := run(t, j)
	if err != nil {
		t.Fatal(err)
	}
	back := landJob(t, file(t, dir, "in.parquet", first["in.parquet"]), given...)
	back.Chunk = 20
	got, err := run(t, back)
	if err != nil {
		t.Fatal(err)
	}
	if got["out.csv"] != want["out.csv"] {
		t.Errorf("got\n%.300s\nwant\n%.300s", got["out.csv"], want["out.csv"])
	}
}

// TestInterrupted ends a job in the middle: no file appears, and the one that was there stays.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	input := file(t, t.TempDir(), "in.csv", people(rand.New(rand.NewPCG(5, 5)), 2000, false))
	output := file(t, dir, "out.csv", "before")
	ctx, stop := context.WithCancel(context.Background())
	j := landJob(t, input, "tax")
	j.Output, j.Chunk = output, 50
	j.Progress = func(p Progress) {
		if p.Persons > 500 {
			stop()
		}
	}
	if _, err := j.Run(ctx); err == nil {
		t.Error("an interrupted job has no error")
	}
	left := contents(t, dir)
	if len(left) != 1 || left["out.csv"] != "before" {
		t.Errorf("left: %v", left)
	}
}

// TestProgress hears of all persons in the end.
func TestProgress(t *testing.T) {
	input := file(t, t.TempDir(), "in.csv", people(rand.New(rand.NewPCG(5, 5)), 300, false))
	j := landJob(t, input, "tax")
	var last Progress
	j.Chunk, j.Progress = 30, func(p Progress) {
		if p.Persons <= last.Persons || p.Read < last.Read {
			t.Errorf("%v after %v", p, last)
		}
		last = p
	}
	if _, err := run(t, j); err != nil {
		t.Fatal(err)
	}
	if last.Persons != 300 || last.Read != 1 {
		t.Errorf("in the end: %v", last)
	}
}

// TestWrong has everything that can be wrong with a file, with what is said about it.
func TestWrong(t *testing.T) {
	var out bytes.Buffer
	dir := t.TempDir()
	for _, c := range []struct{ name, text, variables string }{
		{"empty", "", "tax"},
		{"no variable", "salary\n1\n", "salry"},
		{"twice", "salary\n1\n", "tax tax"},
		{"unknown column", "salry\n1\n", "tax"},
		{"unknown id", "househld_id\n1\n", "tax"},
		{"same column", "salary,salary\n1,1\n", "tax"},
		{"same period", "salary,salary:2017-01\n1,1\n", "tax"},
		{"bad period", "salary:2017-13\n1\n", "tax"},
		{"role without id", "household_role\nchild\n", "tax"},
		{"fields", "salary,rent\n1,2\n3\n", "tax"},
		{"open quote", "salary,rent\n1,\"2\n3,4\n", "tax"},
		{"after quote", "salary,rent\n1,\"2\"x\n", "tax"},
		{"number", "salary\n1\n2\nmuch\n", "tax"},
		{"decimal comma", "salary\n\"1,5\"\n", "tax"},
		{"integer", "children\n1.5\n", "tax"},
		{"large", "children\n3000000000\n", "tax"},
		{"bool", "student\nmaybe\n", "tax"},
		{"date", "birth\n1985-02-30\n", "tax"},
		{"enum", "zone\nsuoth\n", "tax"},
		{"role", "household_id,household_role\n1,chidl\n", "tax"},
		{"too many", "household_id,household_role\n1,parent\n1,parent\n1,parent\n", "tax"},
		{"two first", "household_id,household_role\n1,first_parent\n1,first_parent\n", "tax"},
		{"no role", "household_id\n1\n1\n1\n", "tax"},
		{"group differs", "household_id,household_role,rent\n1,parent,500\n1,child,\n1,child,400\n", "tax"},
		{"year of a month", "rent\n1\n", "tax:2017-01 2017"},
		{"year of a state", "salary\n1\n", "place 2017"},
	} {
		j := landJob(t, file(t, dir, "in.csv", c.text))
		fields := strings.Fields(c.variables)
		if fields[len(fields)-1] == "2017" {
			j.Period = period.OfYear(2017)
			fields = fields[:len(fields)-1]
		}
		j.Variables = fields
		_, err := run(t, j)
		fmt.Fprintf(&out, "%s: %v\n", c.name, err)
	}
	golden(t, "wrong.txt", strings.ReplaceAll(out.String(), dir+string(filepath.Separator), ""))
}

// golden compares with a file of testdata, or writes it when EDICT_UPDATE is set.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("EDICT_UPDATE") != "" {
		file(t, "testdata", name, got)
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs: EDICT_UPDATE=1 writes it anew. Got:\n%s", path, got)
	}
}
