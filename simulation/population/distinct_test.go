package population

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestDistinct: a job or a merge whose files are one and the same, under whatever name, computes nothing and leaves all of them as they were.
func TestDistinct(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a right of their own on Windows")
	}
	text := people(rand.New(rand.NewPCG(1, 1)), 60, false)
	j := landJob(t, "in.csv", "salary", "rent")
	j.Analysis = &Analysis{}
	t.Chdir(t.TempDir())
	file(t, ".", "in.csv", text)
	inPart := *j
	inPart.Variables = []string{"tax"}
	if err := runParts(&inPart, "p", "out.csv", 2, nil); err != nil {
		t.Fatal(err)
	}
	file(t, ".", "twin.json", "{}")
	for one, other := range map[string]string{"soft.csv": "in.csv", "here": ".", "part.csv": "p/1.out.csv", "about.json": "p/1.out.csv.part.json"} {
		if err := os.Symlink(other, one); err != nil {
			t.Fatal(err)
		}
	}
	for one, other := range map[string]string{"hard.csv": "in.csv", "x.person.csv": "in.csv", "x.csv.part.json": "twin.json"} {
		if err := os.Link(other, one); err != nil {
			t.Fatal(err)
		}
	}
	before := contents(t, "p")
	compute := func(output, report string) error {
		j := *j
		j.Output, j.ReportFile = output, report
		_, err := j.Run(context.Background())
		return err
	}
	merge := func(output, report string) error {
		_, err := (&Merge{Parts: []string{"p"}, Output: output, ReportFile: report}).Run(context.Background())
		return err
	}
	for name, c := range map[string]struct {
		run            func(output, report string) error
		output, report string
		want           string
	}{
		"report is input":          {compute, "", "in.csv", "--report: in.csv is the same file as --input in.csv, which is read"},
		"by another path":          {compute, "", "p/../in.csv", "--report: p/../in.csv is the same file as --input in.csv"},
		"by a symbolic link":       {compute, "", "soft.csv", "--report: soft.csv is the same file as --input in.csv"},
		"by a hard link":           {compute, "", "hard.csv", "--report: hard.csv is the same file as --input in.csv"},
		"by a linked directory":    {compute, "", "here/in.csv", "--report: here/in.csv is the same file as --input in.csv"},
		"of an entity":             {compute, "x.csv", "", "--output: x.person.csv is the same file as --input in.csv"},
		"report is output":         {compute, "new.csv", "here/new.person.csv", "--report: here/new.person.csv is the same file as --output new.person.csv, which is written too"},
		"merge over rows":          {merge, "p/1.out.csv", "", "--output: p/1.out.csv is the same file as part p/1.out.csv, which is read"},
		"merge over linked rows":   {merge, "part.csv", "", "--output: part.csv is the same file as part p/1.out.csv"},
		"merge over a part":        {merge, "new.csv", "about.json", "--report: about.json is the same file as part p/1.out.csv.part.json, which is read"},
		"merge, report is output":  {merge, "new.csv", "./new.csv", "--report: ./new.csv is the same file as --output new.csv, which is written too"},
		"merge, report is answers": {merge, "new.csv", "answers.json", "--report: answers.json is what the answers are called"},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.run(c.output, c.report)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want %q in it", err, c.want)
			}
			if got, err := os.ReadFile("in.csv"); string(got) != text {
				t.Errorf("the input has %d bytes (%v)", len(got), err)
			}
			if left, _ := filepath.Glob("*new*"); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
			for name, text := range contents(t, "p") {
				if before[name] != text {
					t.Errorf("%s has changed", name)
				}
			}
		})
	}
	t.Run("answers", func(t *testing.T) {
		j := inPart
		input, err := Directories{}.Open(t.Context(), j.Input)
		if err != nil {
			t.Fatal(err)
		}
		defer input.Close()
		identity, err := input.Identity(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		j.Output = "x.csv"
		j.Answers = &Answers{Identity: identity, Terms: j.terms(), BySide: [][]bool{{}}, name: "twin.json"}
		if err := onePart(&j, j.Output, Part{1, 2}); err == nil || !strings.Contains(err.Error(), "--output: x.csv.part.json is the same file as --answers twin.json") {
			t.Errorf("the error is %v", err)
		}
	})
}
