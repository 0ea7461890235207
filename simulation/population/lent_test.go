package population

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestLent: rows of many blocks, in memory that is given back and lent again while later ones are read, give what everybody at once does,
// in either format and with members carried through.
func TestLent(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 3))
	var text strings.Builder
	text.WriteString("person_id,household_id,salary,birth,where\n")
	for i := range 60_000 {
		fmt.Fprintf(&text, "person%d,%d,%.2f,%d-%02d-%02d,place %d\n", i, i/2, r.Float64()*5000, 1950+r.IntN(60), 1+r.IntN(12), 1+r.IntN(28), r.IntN(1000))
	}
	input := file(t, t.TempDir(), "in.csv", text.String())
	for _, variables := range [][]string{{"salary", "birth"}, {"rent"}} {
		for _, output := range []string{"out.csv", "out.parquet"} {
			j := landJob(t, input, variables...)
			j.Output, j.Keep, j.Chunk = output, []string{"where"}, 60_000
			want, err := run(t, j)
			if err != nil {
				t.Fatal(err)
			}
			j.Chunk, j.Workers = 1000, 3
			got, err := run(t, j)
			if err != nil {
				t.Fatal(err)
			}
			if got[output] != want[output] {
				t.Errorf("%s of %v: other bytes in small chunks", output, variables)
			}
		}
	}
}
