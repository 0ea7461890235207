package population

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"edict/simulation/vector"
)

// sink writes the rows of one entity.
type sink interface {
	// encode makes of a part what write wants. It is called for several parts at once.
	encode(part) (any, error)
	// write adds an encoded part. Parts come in order.
	write(any) error
	close() error
}

// schema is the columns of a file.
type schema struct {
	ids     []string
	outputs []output
	wide    bool
}

// schema names the columns of a table; with a reform each variable has one for it, and one for the difference where there is one.
func (l *layout) schema(t table, compared bool) schema {
	s := schema{ids: t.ids, wide: l.system.Wide()}
	for _, i := range t.outputs {
		o := l.outputs[i]
		s.outputs = append(s.outputs, o)
		if !compared {
			continue
		}
		reform, difference := o, o
		reform.name, difference.name = o.name+"_reform", o.name+"_difference"
		s.outputs = append(s.outputs, reform)
		if differs(o.variable) {
			s.outputs = append(s.outputs, difference)
		}
	}
	return s
}

// part is the output of a chunk for one entity.
type part struct {
	rows int
	// ids gives the cells that say who a row is about.
	ids    []func(row int) []byte
	values []vector.Column
}

// files are the output files of a job while they are written, under names of their own.
type files struct {
	names  []string // in the end
	temps  []*os.File
	sinks  []sink   // of the first of them
	report *os.File // the last of them, nil for none
}

// fileNames returns the file of each table: the output itself, or one beside it per entity.
func fileNames(output string, tables []table) []string {
	if len(tables) == 1 {
		return []string{output}
	}
	names := make([]string, len(tables))
	ext := filepath.Ext(output)
	for i, t := range tables {
		names[i] = strings.TrimSuffix(output, ext) + "." + t.entity.Key + ext
	}
	return names
}

// create begins the files of a job: one per table if there is an output, and the report's if there is one.
func (j *Job) create(l *layout) (*files, error) {
	f := &files{}
	if j.Output != "" {
		for i, name := range fileNames(j.Output, l.tables) {
			temp, err := f.begin(name)
			var s sink
			if err == nil {
				s, err = formats[extension(j.Output)].create(temp, l.schema(l.tables[i], j.Reform != nil))
			}
			if err != nil {
				f.discard()
				return nil, fmt.Errorf("%s cannot be written: %w", name, err)
			}
			f.sinks = append(f.sinks, s)
		}
	}
	if j.ReportFile != "" {
		var err error
		if f.report, err = f.begin(j.ReportFile); err != nil {
			f.discard()
			return nil, fmt.Errorf("%s cannot be written: %w", j.ReportFile, err)
		}
	}
	return f, nil
}

// begin makes the file that will have a name.
func (f *files) begin(name string) (*os.File, error) {
	temp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return nil, err
	}
	f.names, f.temps = append(f.names, name), append(f.temps, temp)
	return temp, temp.Chmod(0o644)
}

// discard takes away what was written.
func (f *files) discard() {
	for _, s := range f.sinks {
		s.close()
	}
	for _, t := range f.temps {
		t.Close()
		os.Remove(t.Name())
	}
	f.sinks, f.temps = nil, nil
}

// finish gives the files their names.
func (f *files) finish() error {
	var wrong []error
	for _, s := range f.sinks {
		wrong = append(wrong, s.close())
	}
	for _, t := range f.temps {
		wrong = append(wrong, t.Sync(), t.Close())
	}
	f.sinks = nil
	if err := errors.Join(wrong...); err != nil {
		f.discard()
		return err
	}
	for i, t := range f.temps {
		if err := os.Rename(t.Name(), f.names[i]); err != nil {
			f.temps = f.temps[i:]
			f.discard()
			return err
		}
	}
	return nil
}
