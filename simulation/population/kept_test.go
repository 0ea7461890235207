package population

import (
	"context"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"edict/simulation/country"
)

// drawer keeps plans in memory, for packages that were loaded apart.
type drawer struct {
	*country.Package
	kept map[string]string
}

func (d *drawer) Kept(question string) string          { return d.kept[question] }
func (d *drawer) Keep(question string, data []byte)    { d.kept[question] = string(data) }
func (d *drawer) onceMore(t *testing.T) (next *drawer) { return &drawer{loadLand(t), d.kept} }
func (d *drawer) job(t *testing.T, input, v string) *Job {
	j := landJob(t, input, v)
	j.System, j.PlanStore, j.planned = d.System, d, 12
	return j
}

func loadLand(t *testing.T) *country.Package {
	t.Helper()
	src, err := country.Open("testdata/land")
	if err != nil {
		t.Fatal(err)
	}
	p, err := country.Load(context.Background(), country.Options{}, src)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// inChunks runs a job in chunks that a plan is recorded for, and gives what it wrote.
func inChunks(t *testing.T, j *Job) string { return inChunksOf(t, j, 97) }

func inChunksOf(t *testing.T, j *Job, persons int) string {
	t.Helper()
	dir := t.TempDir()
	j.Chunk, j.Workers, j.Output = persons, 2, filepath.Join(dir, "out.csv")
	if _, err := j.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return contents(t, dir)["out.csv"]
}

// TestKeptPlans: what was recorded for one population is carried out for another one by a later process, and gives what formulas give.
func TestKeptPlans(t *testing.T) {
	dir := t.TempDir()
	one := file(t, dir, "one.csv", people(rand.New(rand.NewPCG(11, 7)), 900, false))
	other := file(t, dir, "other.csv", people(rand.New(rand.NewPCG(12, 8)), 700, false))
	first := &drawer{loadLand(t), map[string]string{}}
	second := first.onceMore(t)
	kept := 0
	for _, name := range byRow {
		t.Run(name, func(t *testing.T) {
			clear(first.kept)
			j := first.job(t, one, name)
			inChunks(t, j)
			if len(first.kept) == 0 {
				if len(j.plans.known) > 0 {
					t.Errorf("%d plans were not kept", len(j.plans.known))
				}
				return
			}
			kept++
			recorded := len(j.plans.known)
			j = second.job(t, other, name)
			if got, want := inChunks(t, j), whole(t, j)["out.csv"]; got != want {
				t.Error("other numbers than everybody at once")
			}
			if j.plans.taken != recorded || j.plans.recorded > 0 || j.plans.played() < 6 {
				t.Errorf("%d of %d plans were kept, %d recorded once more, and carried out for %d chunks of 8", j.plans.taken, recorded, j.plans.recorded, j.plans.played())
			}
		})
	}
	if kept < len(byRow)*3/4 {
		t.Errorf("of %d formulas %d have a plan that is kept", len(byRow), kept)
	}
}

// TestKeptPlansAreForTheirQuestion: another law, column or variable has plans of its own, and what cannot be read is recorded anew.
func TestKeptPlansAreForTheirQuestion(t *testing.T) {
	text := people(rand.New(rand.NewPCG(11, 7)), 900, false)
	d := &drawer{loadLand(t), map[string]string{}}
	inChunks(t, d.job(t, file(t, t.TempDir(), "in.csv", text), "tax"))
	for name, c := range map[string]struct {
		change func(j *Job)
		kept   int // of what is recorded
	}{
		"the same":       {func(*Job) {}, 1},
		"another law":    {func(j *Job) { j.Law = "x" }, 0},
		"another one":    {func(j *Job) { j.Variables = []string{"tax", "income"} }, 0},
		"another period": {func(j *Job) { j.Variables = []string{"tax:2017-02"} }, 0},
		"another day":    {func(j *Job) { j.Variables = []string{"tax:month:2017-01-15"} }, 0},
		"twelve months":  {func(j *Job) { j.Variables = []string{"tax:month:2017-01:12"} }, 0},
		"without a base": {func(j *Job) { j.Reform, j.Law = j.System, "x" }, 0},
		"a missing input": {func(j *Job) {
			j.Input = file(t, t.TempDir(), "in.csv", strings.Replace(text, ",rent,", ",wage,", 1))
			j.IgnoreUnknown = true
		}, 0},
		"damaged": {func(j *Job) {
			kept := j.PlanStore.(*drawer).kept
			for question, data := range kept {
				kept[question] = data[:len(data)/2]
			}
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			again := &drawer{loadLand(t), maps.Clone(d.kept)}
			j := again.job(t, file(t, t.TempDir(), "in.csv", text), "tax")
			c.change(j)
			inChunks(t, j)
			if j.plans.taken != c.kept {
				t.Errorf("%d plans were kept, want %d", j.plans.taken, c.kept)
			}
		})
	}
}

// TestAskedAgain: for a file of few persons a plan is recorded when the same is asked for the second time, and never again where that was in vain.
func TestAskedAgain(t *testing.T) {
	input := file(t, t.TempDir(), "in.csv", people(rand.New(rand.NewPCG(11, 7)), 900, false))
	vain := 0
	for _, name := range byRow {
		t.Run(name, func(t *testing.T) {
			d := &drawer{loadLand(t), map[string]string{}}
			var want string
			for i, mark := range []string{askedOnce, inVain, inVain} {
				j := d.job(t, input, name)
				j.planned = 0
				got := inChunksOf(t, j, 300)
				if i == 0 {
					want = got
				}
				if got != want {
					t.Errorf("job %d: other numbers than the first", i+1)
				}
				if i == 1 && len(j.plans.known) == 0 {
					vain++ // the others have plans that are not worth a file
				}
				if kept := slices.Collect(maps.Values(d.kept)); !slices.Equal(kept, []string{mark}) {
					t.Errorf("job %d: kept %q, want %q", i+1, kept, mark)
				}
				if (i == 1) != (j.plans.recorded > 0) {
					t.Errorf("job %d: recorded %d times", i+1, j.plans.recorded)
				}
			}
		})
	}
	if vain == 0 || vain == len(byRow) {
		t.Errorf("%d of %d formulas cannot be recorded", vain, len(byRow))
	}
	d := &drawer{loadLand(t), map[string]string{}}
	j := d.job(t, file(t, t.TempDir(), "in.csv", people(rand.New(rand.NewPCG(11, 7)), planSample, false)), byRow[0])
	j.planned = 0
	if inChunksOf(t, j, planSample); len(d.kept) > 0 {
		t.Error("fewer persons than a plan is recorded with leave something")
	}
}

// overtaken is a store in which another job leaves something for every question after this one has looked.
type overtaken struct{ *drawer }

func (o overtaken) Kept(question string) string {
	found := o.kept[question]
	o.kept[question] = "plans of another job"
	return found
}

// TestAskedAtOnce: what another job kept in the meantime is not replaced by a mark.
func TestAskedAtOnce(t *testing.T) {
	for _, before := range []string{"", askedOnce} {
		d := &drawer{loadLand(t), map[string]string{}}
		j := d.job(t, file(t, t.TempDir(), "in.csv", people(rand.New(rand.NewPCG(11, 7)), 900, false)), byRow[0])
		j.planned, j.PlanStore = 0, overtaken{d}
		inChunksOf(t, j, 300)
		for question := range d.kept {
			d.kept[question] = before
		}
		inChunksOf(t, j, 300)
		if kept := slices.Collect(maps.Values(d.kept)); !slices.Equal(kept, []string{"plans of another job"}) {
			t.Errorf("after %q: kept %q", before, kept)
		}
	}
}
