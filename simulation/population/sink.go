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

func (l *layout) schema(t table) schema {
	s := schema{ids: t.ids, wide: l.system.Wide()}
	for _, i := range t.outputs {
		s.outputs = append(s.outputs, l.outputs[i])
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
	names []string // in the end
	temps []*os.File
	sinks []sink
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

// create begins the files of a layout.
func create(output string, l *layout) (*files, error) {
	f := &files{names: fileNames(output, l.tables)}
	for i, t := range l.tables {
		temp, err := os.CreateTemp(filepath.Dir(f.names[i]), "."+filepath.Base(f.names[i])+".*")
		if err == nil {
			f.temps = append(f.temps, temp)
			err = temp.Chmod(0o644)
		}
		var s sink
		if err == nil {
			s, err = formats[extension(output)].create(temp, l.schema(t))
		}
		if err != nil {
			f.discard()
			return nil, fmt.Errorf("%s cannot be written: %w", f.names[i], err)
		}
		f.sinks = append(f.sinks, s)
	}
	return f, nil
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
	for i, s := range f.sinks {
		wrong = append(wrong, s.close(), f.temps[i].Sync(), f.temps[i].Close())
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
