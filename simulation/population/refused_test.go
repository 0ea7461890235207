package population

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestNoParts: what is named in the place of parts, and is none, is refused with what is expected.
func TestNoParts(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]string{
		filepath.Join(dir, "nowhere"):           "nowhere: no such file or directory: name the files of all parts, which end in .part.json, or a directory that has them",
		file(t, dir, "1.csv", "x"):              "1.csv: not a directory: name the files of all parts, which end in .part.json, or a directory that has them",
		filepath.Join(dir, "nowhere.part.json"): "nowhere.part.json: no such file",
		filepath.Join(dir, "x", "1.csv"):        "no such file or directory: name the files",
	} {
		if _, err := (&Merge{Parts: []string{name}, Output: filepath.Join(dir, "out.csv")}).Run(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q in it", name, err, want)
		}
	}
}

// TestDamagedParquet: a file that is cut off, empty or of another kind is refused with what to do.
func TestDamagedParquet(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile(asParquet(t, dir, people(rand.New(rand.NewPCG(1, 1)), 60, false)))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text []byte
		want string
	}{
		"cut off": {text[:len(text)/2], "cut.parquet: the Parquet file is cut off or damaged: copy or write it again"},
		"letters": {text[:4], "cut.parquet: the Parquet file is cut off or damaged: copy or write it again"},
		"empty":   {nil, "cut.parquet: the file is empty, and no Parquet file"},
		"CSV":     {[]byte("person_id,salary\na,1\n"), "cut.parquet: this is no Parquet file: a CSV file has a name in .csv"},
	} {
		j := landJob(t, file(t, dir, "cut.parquet", string(c.text)), "tax")
		if _, err := run(t, j); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", name, err, c.want)
		}
	}
}

// fullDisk has room for some bytes of every file.
type fullDisk struct{ Directories }

func (fullDisk) Create(ctx context.Context, name string) (Draft, error) {
	d, err := Directories{}.Create(ctx, name)
	return &fullDraft{d, name, 100}, err
}

type fullDraft struct {
	Draft
	name string
	room int
}

func (d *fullDraft) Write(p []byte) (int, error) {
	if d.room -= len(p); d.room < 0 {
		return 0, unwritable(d.name, syscall.ENOSPC)
	}
	return d.Draft.Write(p)
}

// TestFullDisk: a job, a part and a merge that find no room say so and leave nothing.
func TestFullDisk(t *testing.T) {
	parts := t.TempDir()
	j := landJob(t, file(t, t.TempDir(), "in.csv", people(rand.New(rand.NewPCG(1, 1)), 60, false)), "tax")
	for _, ext := range []string{".csv", ".parquet"} {
		if err := runParts(j, filepath.Join(parts, ext), "out"+ext, 2, nil); err != nil {
			t.Fatal(err)
		}
	}
	for name, run := range map[string]func(output string) error{
		"job": func(output string) error { return runOn(fullDisk{}, *j, output, (*Job).Run) },
		"part": func(output string) error {
			j := *j
			j.Part = &Part{1, 2}
			return runOn(fullDisk{}, j, output, (*Job).RunPart)
		},
		"merge": func(output string) error {
			_, err := (&Merge{Parts: []string{filepath.Join(parts, filepath.Ext(output))}, Output: output, Storage: fullDisk{}}).Run(context.Background())
			return err
		},
	} {
		for _, ext := range []string{".csv", ".parquet"} {
			dir := t.TempDir()
			output := filepath.Join(dir, "out"+ext)
			err := run(output)
			if want := fmt.Sprintf("%s cannot be written: %v: make room on its disk, or choose another one", output, syscall.ENOSPC); err == nil || err.Error() != want {
				t.Errorf("%s%s: the error is %v, want %s", name, ext, err, want)
			}
			if left := contents(t, dir); len(left) > 0 {
				t.Errorf("%s%s left %v", name, ext, left)
			}
		}
	}
}

func runOn(where Storage, j Job, output string, run func(*Job, context.Context) (Report, error)) error {
	j.Storage, j.Output = where, output
	_, err := run(&j, context.Background())
	return err
}

// TestLongNames: a message has the beginning of a name that is long, in either format.
func TestLongNames(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("é", 1<<19)
	for name, header := range map[string]string{
		"unknown":    "person_id," + long,
		"of another": "person_id,salary:" + long,
		"twice":      long + "," + long,
		"two":        "salary:month:2017-01:1,salary:2017-01",
	} {
		rows := []string{header, "1,1"}
		for format, input := range map[string]string{
			"csv":     file(t, dir, "in.csv", strings.Join(rows, "\n")+"\n"),
			"parquet": filepath.Join(dir, "in.parquet"),
		} {
			if format == "parquet" {
				if name == "twice" {
					continue // there is no such file
				}
				parquetOf(t, input, rows)
			}
			_, err := run(t, landJob(t, input, "salary"))
			if err == nil || len(err.Error()) > 800 || name != "two" && !strings.Contains(err.Error(), `éé…"`) {
				t.Errorf("%s, %s: the error is %.1000s", name, format, err)
			}
		}
	}
	for text, want := range map[string]string{
		"short":                     `"short"`,
		strings.Repeat("aé", 40):    `"` + strings.Repeat("aé", 40) + `"`,
		strings.Repeat("aé", 60):    `"` + strings.Repeat("aé", 40) + `…"`,
		strings.Repeat("\x80", 100): `"` + strings.Repeat(`\x80`, 80) + `…"`,
	} {
		if got := quoted(text); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
