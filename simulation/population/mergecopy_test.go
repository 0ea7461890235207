package population

import (
	"math/rand/v2"
	"path/filepath"
	"testing"
)

// TestMergeProgress: merging tells of the rows that it copies, of all files, while it copies them.
func TestMergeProgress(t *testing.T) {
	const persons = 20_000
	text := people(rand.New(rand.NewPCG(5, 5)), persons, false)
	for _, format := range []string{"csv", "parquet"} {
		t.Run(format, func(t *testing.T) {
			parts := t.TempDir()
			j := landJob(t, file(t, t.TempDir(), "in.csv", text), "tax", "rent")
			if err := runParts(j, parts, "out."+format, 2, nil); err != nil {
				t.Fatal(err)
			}
			rows := 0
			for i := range 2 {
				p, err := readPart(t.Context(), Directories{}, filepath.Join(parts, []string{"1", "2"}[i]+".out."+format+partSuffix))
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range p.Files {
					rows += int(f.Rows)
				}
			}
			var last Progress
			within := 0 // of files
			m := &Merge{Parts: []string{parts}, Output: filepath.Join(t.TempDir(), "out."+format), Progress: func(p Progress) {
				if p.Rows < last.Rows || p.Read < last.Read || p.Rows > rows || p.Read > 1 || p.Persons < last.Persons {
					t.Errorf("%v after %v", p, last)
				}
				if p.Rows > last.Rows {
					within++
				}
				last = p
			}}
			report, err := m.Run(t.Context())
			if err != nil || report.Persons != persons {
				t.Fatalf("%d persons (%v)", report.Persons, err)
			}
			if rows <= persons || last.Rows != rows || last.Read != 1 || within <= 4 {
				t.Errorf("%d rows of %d, %v, told %d times", last.Rows, rows, last.Read, within)
			}
		})
	}
}
