package population

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// reported runs a job with provenance and returns its report.
func reported(t testing.TB, input string) (*Job, *Findings) {
	t.Helper()
	j := analysed(t, input)
	j.Provenance = &Provenance{
		Edict: ProvenanceBuild{"1", "c"}, Law: ProvenanceLaw{Package: "land", Version: "2", Hash: "ab"}, Dialect: "numpy1", Date: "2026-11-19",
		Options: ProvenanceOptions{Profile: "32", Today: "2026-11-19"},
	}
	report, err := j.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return j, report.Findings
}

// TestProvenanceOfFormats: a report has the same provenance and the same figures whether it is read from JSON or from CSV, and the hash of the
// figures is that of the file's lines.
func TestProvenanceOfFormats(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		text := weighted(r, people(r, rapid.IntRange(1, 30).Draw(rt, "persons"), false))
		text = strings.ReplaceAll(text, "r1", `"=r, ""1"""`) // a formula for spreadsheets, and it needs quotes
		input := file(t, dir, "in.csv", text)
		_, f := reported(t, input)
		sum := sha256.Sum256([]byte(text))
		if want := (ProvenanceInput{"in.csv", hex.EncodeToString(sum[:])}); len(f.Provenance.Inputs) != 1 || f.Provenance.Inputs[0] != want {
			rt.Fatalf("inputs %v, want %v", f.Provenance.Inputs, want)
		}
		var read []*Recorded
		for name, write := range reportFormats {
			var out bytes.Buffer
			if err := write(f, &out); err != nil {
				rt.Fatal(err)
			}
			r, err := ReadReport(context.Background(), Directories{}, file(t, dir, "report"+name, out.String()))
			if err != nil {
				rt.Fatal(err)
			}
			if r.Edited() || len(r.Mislabelled()) > 0 {
				rt.Errorf("%s: edited %t, %v", name, r.Edited(), r.Mislabelled())
			}
			if lines, n := r.Differences(f); n > 0 {
				rt.Errorf("%s: %v", name, lines)
			}
			if got, want := string(r.Provenance.block()), string(f.Provenance.block()); got != want {
				rt.Errorf("%s: provenance %s, want %s", name, got, want)
			}
			read = append(read, r)
			if name == ".csv" {
				if got := hashOfLines(out.String()); got != f.Provenance.Figures {
					rt.Errorf("the lines of the file have the hash %s, the figures %s", got, f.Provenance.Figures)
				}
			}
		}
		if a, b := fmt.Sprint(read[0].rows), fmt.Sprint(read[1].rows); a != b {
			rt.Errorf("figures of one format:\n%s\nof the other:\n%s", a, b)
		}
	})
}

// hashOfLines is the definition of the documentation.
func hashOfLines(text string) string {
	h := sha256.New()
	header := false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "#"):
		case !header:
			header = true
		case strings.HasSuffix(line, ",,,\n"):
		default:
			h.Write([]byte(line))
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// TestEditedFigure: a figure that was edited by hand changes the hash and is named.
func TestEditedFigure(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(3, 1))
	_, f := reported(t, file(t, dir, "in.csv", weighted(r, people(r, 40, false))))
	for name, write := range reportFormats {
		var out bytes.Buffer
		if err := write(f, &out); err != nil {
			t.Fatal(err)
		}
		old := plain(&f.Variables[1].Total.Base)
		before := ",,tax,total,"
		if name == ".json" {
			before = "\"variable\": \"tax\",\n      \"entity\": \"person\",\n      \"total\": {\n        \"base\": "
		}
		first, rest, found := strings.Cut(out.String(), before)
		if _, rest, _ = strings.Cut(rest, ","); !found {
			t.Fatalf("%s: no total of tax in\n%s", name, out.String())
		}
		edited := first + before + "7," + rest
		read, err := ReadReport(t.Context(), Directories{}, file(t, dir, "edited"+name, edited))
		if err != nil {
			t.Fatal(err)
		}
		lines, n := read.Differences(f)
		if want := fmt.Sprintf("tax total, base: 7 in the report, %s computed", old); !read.Edited() || n != 1 || lines[0] != want {
			t.Errorf("%s: edited %t, %v, want %q", name, read.Edited(), lines, want)
		}
	}
}

// changing is storage whose input is changed while it is read.
type changing struct {
	Directories
	name string
}

func (c changing) Create(ctx context.Context, name string) (Draft, error) {
	if err := os.WriteFile(c.name, []byte("something else, and longer than before: "+strings.Repeat("x", 1<<16)), 0o600); err != nil {
		return nil, err
	}
	return c.Directories.Create(ctx, name)
}

// TestInputChangesMeanwhile: no report is written with the hash of another input than the one that was computed.
func TestInputChangesMeanwhile(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(3, 1))
	input := file(t, dir, "in.csv", weighted(r, people(r, 40, false)))
	j := analysed(t, input)
	j.Provenance, j.ReportFile, j.Storage = &Provenance{}, filepath.Join(dir, "report.json"), changing{name: input}
	if _, err := j.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "changed while it was read") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(j.ReportFile); err == nil {
		t.Error("there is a report")
	}
}
