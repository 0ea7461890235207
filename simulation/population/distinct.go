package population

import (
	"fmt"
	"os"
	"path/filepath"
)

// Named is a file and what names it in messages: the option that it is given with, or what it is.
type Named struct {
	Option, File string
}

// Distinct refuses files to write that are among those to read, under whatever name, or that are one and the same: the later one
// would take the place of the other. Files without a name are none.
func Distinct(where Storage, read, written []Named) error {
	for i, w := range written {
		for _, r := range read {
			if w.File != "" && r.File != "" && where.Same(w.File, r.File) {
				return fmt.Errorf("%s: %s is the same file as %s, which is read, and would take its place: choose another name", w.Option, w.File, r)
			}
		}
		for _, before := range written[:i] {
			if w.File != "" && before.File != "" && where.Same(w.File, before.File) {
				return fmt.Errorf("%s: %s is the same file as %s, which is written too: choose another name", w.Option, w.File, before)
			}
		}
	}
	return nil
}

// String is the option with its file.
func (n Named) String() string { return n.Option + " " + n.File }

// Same implements Storage: links lead to the file that they name, and a file that is not there yet is its name in its directory.
func (Directories) Same(one, other string) bool {
	if same, known := sameFile(one, other); known {
		return same
	}
	same, _ := sameFile(filepath.Dir(one), filepath.Dir(other))
	return same && filepath.Base(one) == filepath.Base(other)
}

// sameFile compares files that are there. If neither is, that is not known.
func sameFile(one, other string) (same, known bool) {
	a, err := os.Stat(one)
	b, wrong := os.Stat(other)
	return err == nil && wrong == nil && os.SameFile(a, b), err == nil || wrong == nil
}

// named gives files that an option stands for.
func named(option string, files ...string) []Named {
	var out []Named
	for _, f := range files {
		out = append(out, Named{option, f})
	}
	return out
}

// outputs are the files of rows: one for each of these tables, none without an output.
func outputs(output string, schemas []schema) []Named {
	if output == "" {
		return nil
	}
	var entities []string
	for _, s := range schemas {
		entities = append(entities, s.Entity)
	}
	return named("--output", fileNames(output, entities)...)
}

// distinct refuses files of a job that are one and the same.
func (p *pass) distinct() error {
	read := named("--input", p.Input)
	if p.Answers != nil {
		read = append(read, named("--answers", p.Answers.name)...)
	}
	written := append(outputs(p.Output, p.schemas), named("--report", p.ReportFile)...)
	if p.Part != nil {
		written = append(written, named("--output", partName(p.Output))...)
	}
	return Distinct(p.storage(), read, written)
}

// distinct refuses files that are among those of the parts, or one and the same.
func (m *Merge) distinct(parts []*partFile) error {
	var read []Named
	for _, p := range parts {
		read = append(read, Named{"part", p.name})
		for _, f := range p.Files {
			read = append(read, Named{"part", beside(p.name, f.Name)})
		}
	}
	written := append(outputs(m.Output, parts[0].Schemas), named("--report", m.ReportFile)...)
	if err := Distinct(m.Storage, read, written); err != nil {
		return err
	}
	if answers := m.answersFile(parts[0]); m.ReportFile != "" && m.Storage.Same(m.ReportFile, answers) {
		return fmt.Errorf("--report: %s is what the answers are called that the parts may have to be computed again with: choose another name", m.ReportFile)
	}
	return nil
}
