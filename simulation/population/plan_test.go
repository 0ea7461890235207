package population

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"testing"
)

// TestPlans carries out plans that were recorded with a few persons for many chunks, in which other persons live in other
// households, and compares with everybody at once. Formulas that no plan can be made of are few.
func TestPlans(t *testing.T) {
	input := file(t, t.TempDir(), "in.csv", people(rand.New(rand.NewPCG(11, 7)), 900, false))
	planned := 0
	for _, name := range byRow {
		t.Run(name, func(t *testing.T) {
			j := landJob(t, input, name)
			want := whole(t, j)["out.csv"]
			for _, chunk := range []int{400, 97, 30} {
				dir := t.TempDir()
				j.Chunk, j.Workers, j.planned, j.Output = chunk, 1+chunk%3, 12, filepath.Join(dir, "out.csv")
				if _, err := j.Run(context.Background()); err != nil {
					t.Fatal(err)
				}
				if got := contents(t, dir)["out.csv"]; got != want {
					t.Fatalf("chunks of %d: other numbers than everybody at once", chunk)
				}
			}
			if len(j.plans.known) == 0 {
				t.Log("no plan")
				return
			}
			planned++
			if n := j.plans.played(); n < 15 {
				t.Errorf("of 30 chunks %d were computed by a plan", n)
			}
		})
	}
	if planned < len(byRow)*3/4 {
		t.Errorf("of %d formulas %d have a plan", len(byRow), planned)
	}
}

// played counts the chunks that plans were carried out for.
func (p *plans) played() (chunks int) {
	for _, n := range p.uses {
		chunks += n
	}
	return chunks
}

// TestHead cuts a chunk only where all groups are whole.
func TestHead(t *testing.T) {
	c := &chunk{persons: 7, groups: []membership{
		{groupOf: []int32{0, 0, 1, 1, 2, 3, 3}, names: make([]uint64, 4)},
		{groupOf: []int32{0, 1, 1, 2, 2, 3, 4}, names: make([]uint64, 5)},
	}}
	for persons, want := range map[int]int{1: 5, 5: 5, 6: 7, 7: 7} {
		if h := c.head(persons); h.persons != want {
			t.Errorf("the first %d of the chunk are %d persons, want %d", persons, h.persons, want)
		}
	}
}
