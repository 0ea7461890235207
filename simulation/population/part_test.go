package population

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"edict/platform/longtest"
)

// inParts computes a job in n parts and merges them, in as many rounds as it takes. It returns the files.
func inParts(t testing.TB, j *Job, n int) (map[string]string, int, error) {
	t.Helper()
	dir, err := os.MkdirTemp("", "parts")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	output := j.Output
	if output == "" {
		output = "out.csv"
	}
	var answers *Answers
	for rounds := 1; ; rounds++ {
		if err := runParts(j, filepath.Join(dir, "parts"), output, n, answers); err != nil {
			return nil, rounds, err
		}
		m := &Merge{Parts: []string{filepath.Join(dir, "parts")}, Output: filepath.Join(dir, "whole", output), ReportFile: j.ReportFile}
		if m.ReportFile != "" {
			m.ReportFile = filepath.Join(dir, "whole", m.ReportFile)
		}
		if err := os.MkdirAll(filepath.Join(dir, "whole"), 0o700); err != nil {
			t.Fatal(err)
		}
		_, err := m.Run(context.Background())
		var unsettled *UnsettledError
		if errors.As(err, &unsettled) && rounds < 50 {
			if answers, err = ReadAnswers(context.Background(), Directories{}, unsettled.Answers); err != nil {
				t.Fatal(err)
			}
			if err := os.RemoveAll(filepath.Join(dir, "whole")); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err != nil {
			return nil, rounds, err
		}
		return contents(t, filepath.Join(dir, "whole")), rounds, nil
	}
}

func runParts(j *Job, dir, output string, n int, answers *Answers) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for i := range n {
		copied := *j
		copied.Part, copied.Answers, copied.ReportFile = &Part{i + 1, n}, answers, ""
		copied.Output = filepath.Join(dir, fmt.Sprintf("%d.%s", i+1, output))
		if _, err := copied.RunPart(context.Background()); err != nil {
			return fmt.Errorf("part %d: %w", i+1, err)
		}
	}
	return nil
}

// apartToo are the variables that parts can compute. A part of a few rows may have as many as a table that has nothing to do with
// them, and is taken for one that needs everybody then.
var apartToo = slices.DeleteFunc(slices.Concat(byRow, byAnswers), func(name string) bool { return name == "tabled" })

// TestParts computes random populations in parts: every byte of output and report must be that of one run.
func TestParts(t *testing.T) {
	dir := t.TempDir()
	longtest.Checks(t, 25, 100)
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		persons := rapid.IntRange(0, 60).Draw(rt, "persons")
		text := people(r, persons, false)
		if rapid.Bool().Draw(rt, "unnamed") {
			text = withoutNames(text)
		}
		j := landJob(t, file(t, dir, "in.csv", text), rapid.SliceOfNDistinct(rapid.SampledFrom(apartToo), 1, 4, rapid.ID[string]).Draw(rt, "variables")...)
		j.Output = rapid.SampledFrom([]string{"out.csv", "out.parquet"}).Draw(rt, "output")
		if rapid.Bool().Draw(rt, "parquet input") {
			j.Input = asParquet(t, dir, text)
		}
		if rapid.Bool().Draw(rt, "report") && persons > 0 {
			j.ReportFile, j.Analysis = "report.json", &Analysis{Income: "income", Equivalence: SquareRoot, By: []string{"zone"}, Tolerance: 1}
			j.Provenance = &Provenance{Law: ProvenanceLaw{Package: "land", Hash: "1"}, Date: "2026-11-19"}
		}
		j.Chunk = rapid.IntRange(1, 40).Draw(rt, "chunk")
		want := oneRun(t, j)
		n := rapid.SampledFrom([]int{1, 2, 7}).Draw(rt, "parts")
		got, _, err := inParts(t, j, n)
		if err != nil {
			rt.Fatal(err)
		}
		for name, text := range want {
			if got[name] != text {
				rt.Fatalf("%s of %d parts:\n%s\nwant\n%s", name, n, got[name], text)
			}
		}
		if len(got) != len(want) {
			rt.Fatalf("%d files, want %d", len(got), len(want))
		}
	})
}

// TestMergeInterrupted ends a merge in the middle: no file appears, the one that was there stays, and the parts can be merged again.
func TestMergeInterrupted(t *testing.T) {
	for _, format := range []string{"csv", "parquet"} {
		t.Run(format, func(t *testing.T) {
			dir, parts := t.TempDir(), t.TempDir()
			j := landJob(t, file(t, t.TempDir(), "in.csv", people(rand.New(rand.NewPCG(5, 5)), 300, false)), "tax")
			if err := runParts(j, parts, "out."+format, 7, nil); err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(t.Context())
			seen := 0
			m := &Merge{Parts: []string{parts}, Output: file(t, dir, "out."+format, "before"), Progress: func(p Progress) {
				seen++
				stop()
			}}
			if _, err := m.Run(ctx); !errors.Is(err, context.Canceled) || seen != 1 {
				t.Errorf("%v, after %d steps", err, seen)
			}
			if left := contents(t, dir); len(left) != 1 || left["out."+format] != "before" {
				t.Errorf("left: %v", left)
			}
			m.Progress = nil
			if r, err := m.Run(t.Context()); err != nil || r.Persons != 300 {
				t.Errorf("again: %v, %v", r, err)
			}
		})
	}
}

// withoutNames leaves out the first column, so that persons are numbered.
func withoutNames(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		_, lines[i], _ = strings.Cut(line, ",")
	}
	return strings.Join(lines, "")
}

// asParquet writes the rows of a CSV file to a Parquet file.
func asParquet(t testing.TB, dir, text string) string {
	t.Helper()
	rows := strings.Split(strings.TrimSpace(text), "\n")
	return parquetOf(t, filepath.Join(dir, "in.parquet"), rows)
}

// oneRun computes a job without parts.
func oneRun(t testing.TB, j *Job) map[string]string {
	t.Helper()
	dir, err := os.MkdirTemp("", "one")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	copied := *j
	copied.Output = filepath.Join(dir, j.Output)
	if j.ReportFile != "" {
		copied.ReportFile = filepath.Join(dir, j.ReportFile)
	}
	if _, err := copied.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return contents(t, dir)
}

// parquetOf writes rows as texts into small row groups.
func parquetOf(t testing.TB, name string, rows []string) string {
	t.Helper()
	var out bytes.Buffer
	s, err := createParquet(&out, schema{IDs: strings.Split(rows[0], ",")})
	if err != nil {
		t.Fatal(err)
	}
	p := part{rows: len(rows) - 1}
	for i := range strings.Split(rows[0], ",") {
		p.ids = append(p.ids, ids{text: func(row int) []byte { return []byte(strings.Split(rows[row+1], ",")[i]) }})
	}
	encoded, err := s.encode(p)
	if err == nil {
		err = s.write(encoded)
	}
	if err == nil {
		err = s.close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestPartsVote has a formula whose answers differ only between parts: each of them agrees with itself.
func TestPartsVote(t *testing.T) {
	text := "person_id,household_id,salary\n"
	for i := range 640 {
		salary := 1000
		if i >= 630 {
			salary = 4995 // in the last of 64 parts alone
		}
		text += fmt.Sprintf("p%d,%d,%d\n", i, i, salary)
	}
	j := landJob(t, file(t, t.TempDir(), "in.csv", text), "rich_land", "ladder")
	for _, output := range []string{"out.csv", "out.parquet"} {
		j.Output = output
		want := oneRun(t, j)
		for _, n := range longtest.Pick([]int{2, 7}, []int{2, 7, 64}) {
			got, rounds, err := inParts(t, j, n)
			if err != nil {
				t.Fatal(err)
			}
			if got[output] != want[output] {
				t.Errorf("%d parts: other rows than one run", n)
			}
			if rounds < 2 {
				t.Errorf("%d parts: %d rounds, though the answers differ", n, rounds)
			}
		}
	}
}

// TestPartsNeedEverybody: what parts cannot compute is refused with its line.
func TestPartsNeedEverybody(t *testing.T) {
	j := landJob(t, file(t, t.TempDir(), "in.csv", people(rand.New(rand.NewPCG(1, 1)), 60, false)), "share")
	_, _, err := inParts(t, j, 3)
	if err == nil || !strings.Contains(err.Error(), "computed.py:") || !strings.Contains(err.Error(), "compute the file without --part") {
		t.Errorf("the error is %v", err)
	}
}

// TestPartsOfQuotes has text with line ends that look like rows.
func TestPartsOfQuotes(t *testing.T) {
	text := "person_id,household_id,nickname,salary\n"
	for i := range 200 {
		text += fmt.Sprintf("p%d,%d,\"a\np%d,%d,b\"\",7\",%d\n", i, i, i, i, i)
	}
	j := landJob(t, file(t, t.TempDir(), "in.csv", strings.ReplaceAll(text, `b"",7`, `b,7`)), "tax", "nickname")
	j.Output = "out.csv"
	want := oneRun(t, j)
	for _, n := range []int{1, 2, 3, 5, 8} {
		got, _, err := inParts(t, j, n)
		if err == nil && got["out.csv"] != want["out.csv"] {
			t.Errorf("%d parts: other rows than one run", n)
		}
		if err != nil && !strings.Contains(err.Error(), "text in quotes") && !strings.Contains(err.Error(), "Text in quotes") {
			t.Errorf("%d parts: %v", n, err)
		}
	}
}

// TestBadParts: parts that do not belong together are refused by name, and nothing is written.
func TestBadParts(t *testing.T) {
	dir := t.TempDir()
	text := people(rand.New(rand.NewPCG(1, 1)), 60, false)
	input := file(t, dir, "in.csv", text)
	j := landJob(t, input, "tax")
	other := *j
	other.Variables = []string{"income"}
	changed := *j
	changed.Input = file(t, dir, "changed.csv", strings.Replace(text, "p3,", "p0,", 1))
	later := *j
	later.Period.Start.Day = 15
	newer := *j
	newer.Terms = []Term{{"edict", "2"}}
	acrossJob := *j
	acrossJob.Input = file(t, dir, "across.csv", "household_id,household_role,salary\n1,parent,1\n2,parent,1\n3,parent,1\n4,parent,1\n5,parent,1\n6,parent,1\n1,parent,1\n7,parent,1\n8,parent,1\n")
	for name, c := range map[string]struct {
		make func(parts string) error
		want string
	}{
		"missing": {func(parts string) error {
			return errors.Join(runParts(j, parts, "out.csv", 4, nil), os.Remove(filepath.Join(parts, "3.out.csv.part.json")))
		}, "part 3 of 4 is missing in PARTS: compute it with --part 3/4"},
		"several missing": {func(parts string) error {
			return onePart(j, filepath.Join(parts, "1.csv"), Part{1, 3})
		}, "parts 2, 3 of 3 are missing in PARTS: compute each of them, with --part 2/3 and so on"},
		"doubled": {func(parts string) error {
			return errors.Join(runParts(j, parts, "out.csv", 3, nil), onePart(j, filepath.Join(parts, "again.csv"), Part{2, 3}))
		}, "part 2 is there twice: PARTS/2.out.csv.part.json and PARTS/again.csv.part.json"},
		"another number": {func(parts string) error {
			return errors.Join(runParts(j, parts, "out.csv", 3, nil), onePart(j, filepath.Join(parts, "other.csv"), Part{3, 4}))
		}, "PARTS/other.csv.part.json is one of 4 parts"},
		"another version": {func(parts string) error {
			return errors.Join(onePart(j, filepath.Join(parts, "1.csv"), Part{1, 2}), onePart(&newer, filepath.Join(parts, "2.csv"), Part{2, 2}))
		}, `PARTS/2.csv.part.json was computed with`},
		"another input": {func(parts string) error {
			return errors.Join(onePart(j, filepath.Join(parts, "1.csv"), Part{1, 2}), onePart(&changed, filepath.Join(parts, "2.csv"), Part{2, 2}))
		}, "PARTS/2.csv.part.json was computed from another changed.csv than PARTS/1.csv.part.json: the input was changed in between"},
		"another question": {func(parts string) error {
			return errors.Join(onePart(j, filepath.Join(parts, "1.csv"), Part{1, 2}), onePart(&other, filepath.Join(parts, "2.csv"), Part{2, 2}))
		}, `PARTS/2.csv.part.json was computed with --variables "income", PARTS/1.csv.part.json with "tax"`},
		"another day": {func(parts string) error {
			return errors.Join(onePart(j, filepath.Join(parts, "1.csv"), Part{1, 2}), onePart(&later, filepath.Join(parts, "2.csv"), Part{2, 2}))
		}, `PARTS/2.csv.part.json was computed with --period "month:2017-01-15:1", PARTS/1.csv.part.json with "month:2017-01-01:1"`},
		"rows changed": {func(parts string) error {
			return errors.Join(runParts(j, parts, "out.csv", 2, nil), os.WriteFile(filepath.Join(parts, "2.out.csv"), []byte("x"), 0o600))
		}, "PARTS/2.out.csv: the file is not what part 2 wrote"},
		"rows gone": {func(parts string) error {
			return errors.Join(runParts(j, parts, "out.csv", 2, nil), os.Remove(filepath.Join(parts, "2.out.csv")))
		}, "2.out.csv: no such file"},
		"no part": {func(parts string) error {
			return errors.Join(os.MkdirAll(parts, 0o700), os.WriteFile(filepath.Join(parts, "x.part.json"), []byte("{}"), 0o600))
		}, "PARTS/x.part.json: this is no file of a part"},
		"no object": {func(parts string) error {
			return errors.Join(os.MkdirAll(parts, 0o700), os.WriteFile(filepath.Join(parts, "x.part.json"), []byte("[1]"), 0o600))
		}, "PARTS/x.part.json is no file of a part"},
		"empty": {func(parts string) error {
			return errors.Join(os.MkdirAll(parts, 0o700), os.WriteFile(filepath.Join(parts, "x.part.json"), nil, 0o600))
		}, "PARTS/x.part.json is empty, and no file of a part: compute it again"},
		"cut off": {func(parts string) error {
			return errors.Join(runParts(j, parts, "out.csv", 2, nil), os.Truncate(filepath.Join(parts, "1.out.csv.part.json"), 100))
		}, "PARTS/1.out.csv.part.json is cut off, and no file of a part: copy or compute it again"},
		"nothing":             {func(parts string) error { return os.MkdirAll(parts, 0o700) }, "PARTS has no parts"},
		"groups across parts": {func(parts string) error { return runParts(&acrossJob, parts, "out.csv", 3, nil) }, "household 1 has members in part 1 and in part"},
	} {
		t.Run(name, func(t *testing.T) {
			parts, whole := filepath.Join(t.TempDir(), "parts"), t.TempDir()
			if err := c.make(parts); err != nil {
				t.Fatal(err)
			}
			_, err := (&Merge{Parts: []string{parts}, Output: filepath.Join(whole, "out.csv")}).Run(context.Background())
			want := strings.ReplaceAll(c.want, "PARTS", parts)
			if err == nil || !strings.Contains(filepath.ToSlash(err.Error()), filepath.ToSlash(want)) {
				t.Errorf("the error is %v, want %q in it", err, want)
			}
			if left := contents(t, whole); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

// TestScatteredParts has groups whose members lie apart from each other, within parts.
func TestScatteredParts(t *testing.T) {
	j := landJob(t, file(t, t.TempDir(), "in.csv", "club_id,salary\n"+strings.Repeat("1,1\n2,2\n", 20)+"9,9\n9,9\n9,9\n"+strings.Repeat("3,3\n4,4\n", 20)), "dues", "salary")
	j.Output, j.Chunk = "out.csv", 2
	want := oneRun(t, j)
	got, _, err := inParts(t, j, 2)
	if err != nil {
		t.Fatal(err)
	}
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s:\n%s\nwant\n%s", name, got[name], want[name])
		}
	}
}

func onePart(j *Job, output string, p Part) error {
	copied := *j
	copied.Part, copied.Output = &p, output
	if err := os.MkdirAll(filepath.Dir(output), 0o700); err != nil {
		return err
	}
	_, err := copied.RunPart(context.Background())
	return err
}

// TestForeignAnswers: answers of another input or job are refused.
func TestForeignAnswers(t *testing.T) {
	dir := t.TempDir()
	j := landJob(t, file(t, dir, "in.csv", people(rand.New(rand.NewPCG(1, 1)), 60, false)), "tax")
	for _, a := range []*Answers{{Format: 1, Input: "old.csv", Identity: "sha256:0", BySide: [][]bool{{}}}} {
		copied := *j
		copied.Answers = a
		if err := onePart(&copied, filepath.Join(dir, "out.csv"), Part{1, 2}); err == nil || !strings.Contains(err.Error(), "--answers: they are about old.csv") {
			t.Errorf("the error is %v", err)
		}
	}
}

// FuzzPartFile: no file of a part, however wrong, does worse than to be refused.
func FuzzPartFile(f *testing.F) {
	dir := f.TempDir()
	j := landJob(f, file(f, dir, "in.csv", people(rand.New(rand.NewPCG(1, 1)), 20, false)), "tax", "income")
	j.Analysis = &Analysis{Income: "income", Equivalence: SquareRoot, By: []string{"zone"}}
	if err := onePart(j, filepath.Join(dir, "out.csv"), Part{1, 1}); err != nil {
		f.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "out.csv.part.json"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"format":1,"part":1,"of":1,"ballots":[["07"]],"schemas":[{"ids":["a"]}],"files":[{}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		into := t.TempDir()
		name := file(t, into, "x.part.json", string(text))
		if _, err := (&Merge{Parts: []string{name}, Output: filepath.Join(into, "whole.csv")}).Run(context.Background()); err != nil {
			if _, there := os.Stat(filepath.Join(into, "whole.csv")); there == nil {
				t.Errorf("%v, and there is an output", err)
			}
		}
	})
}
