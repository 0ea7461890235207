package population

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// sink writes the rows of one entity.
type sink interface {
	// encode makes of a part what write wants. It is called for several parts at once.
	encode(part) (any, error)
	// write adds an encoded part. Parts come in order.
	write(any) error
	// add copies the rows of a file that a sink of the same schema has written.
	add(Object, schema) error
	close() error
}

// schema is the columns of a file, which a part tells whoever merges it.
type schema struct {
	Entity  string         `json:"entity"`
	IDs     []string       `json:"ids"`
	Columns []schemaColumn `json:"columns"`
	Wide    bool           `json:"wide,omitempty"`
}

type schemaColumn struct {
	Name string                `json:"name"`
	Type legislation.ValueType `json:"type"`
}

// schema names the columns of a table; with a reform each variable has one for it, and one for the difference where there is one.
func (l *layout) schema(t table, compared bool) schema {
	s := schema{Entity: t.entity.Key, IDs: t.ids, Wide: l.system.Wide()}
	for _, i := range t.outputs {
		o := l.outputs[i]
		s.Columns = append(s.Columns, schemaColumn{o.name, o.variable.Type})
		if !compared {
			continue
		}
		s.Columns = append(s.Columns, schemaColumn{o.name + "_reform", o.variable.Type})
		if differs(o.variable) {
			s.Columns = append(s.Columns, schemaColumn{o.name + "_difference", o.variable.Type})
		}
	}
	return s
}

// part is the output of a chunk for one entity.
type part struct {
	rows int
	// ids gives the cells that say who a row is about.
	ids    []ids
	values []vector.Column
}

// files are the output files of a job while they are written.
type files struct {
	storage Storage
	names   []string // in the end
	drafts  []Draft
	sinks   []sink   // of the first of them
	meters  []*meter // of the first of them, if they are measured
	rows    []int64  // of the first of them
	report  Draft    // one of them, nil for none
	wrong   error    // what a draft said that could not be written
}

// watched is a draft of files, which remember what it fails with.
type watched struct {
	Draft
	of *files
}

// Write implements io.Writer.
func (w watched) Write(p []byte) (int, error) {
	n, err := w.Draft.Write(p)
	if err != nil && w.of.wrong == nil {
		w.of.wrong = err
	}
	return n, err
}

// blame is an error without what was said of it on the way, if it is that a file could not be written: that names the file.
func (f *files) blame(err error) error { return cmp.Or(f.wrong, err) }

// meter notes what is written.
type meter struct {
	io.Writer
	hash  hash.Hash
	bytes int64
}

// Write implements io.Writer.
func (m *meter) Write(p []byte) (int, error) {
	n, err := m.Writer.Write(p)
	m.hash.Write(p[:n])
	m.bytes += int64(n)
	return n, err
}

// fileNames returns the file of each entity: the output itself, or one beside it for each.
func fileNames(output string, entities []string) []string {
	if len(entities) == 1 {
		return []string{output}
	}
	names := make([]string, len(entities))
	ext := path.Ext(filepath.ToSlash(output))
	for i, e := range entities {
		names[i] = strings.TrimSuffix(output, ext) + "." + e + ext
	}
	return names
}

// create begins the files of a job: one per schema if there is an output, and the report's if there is one.
func create(ctx context.Context, where Storage, output, report string, schemas []schema, measured bool) (*files, error) {
	f := &files{storage: where}
	if output != "" {
		var entities []string
		for _, s := range schemas {
			entities = append(entities, s.Entity)
		}
		for i, name := range fileNames(output, entities) {
			var s sink
			d, err := f.begin(ctx, name)
			var w io.Writer = d
			if measured {
				m := &meter{Writer: d, hash: sha256.New()}
				f.meters, w = append(f.meters, m), m
			}
			if err == nil {
				s, err = formats[extension(output)].create(w, schemas[i])
			}
			if err != nil {
				f.discard()
				return nil, err
			}
			f.sinks, f.rows = append(f.sinks, s), append(f.rows, 0)
		}
	}
	if report != "" {
		var err error
		if f.report, err = f.begin(ctx, report); err != nil {
			f.discard()
			return nil, err
		}
	}
	return f, nil
}

// begin makes the file that will have a name.
func (f *files) begin(ctx context.Context, name string) (Draft, error) {
	d, err := f.storage.Create(ctx, name)
	if err != nil {
		return nil, err
	}
	d = watched{d, f}
	f.names, f.drafts = append(f.names, name), append(f.drafts, d)
	return d, nil
}

// discard takes away what was written.
func (f *files) discard() {
	for _, s := range f.sinks {
		s.close()
	}
	for _, d := range f.drafts {
		d.Discard()
	}
	f.sinks, f.drafts = nil, nil
}

// flush writes what the sinks still have.
func (f *files) flush() error {
	var wrong []error
	for _, s := range f.sinks {
		wrong = append(wrong, s.close())
	}
	f.sinks = nil
	return errors.Join(wrong...)
}

// seal makes sure that everything is stored.
func (f *files) seal() error {
	wrong := []error{f.flush()}
	for _, d := range f.drafts {
		wrong = append(wrong, d.Seal())
	}
	return errors.Join(wrong...)
}

// finish gives the files their names, the last one last.
func (f *files) finish() error {
	err := f.seal()
	for err == nil && len(f.drafts) > 0 {
		if err = f.drafts[0].Commit(); err == nil {
			f.drafts = f.drafts[1:]
		}
	}
	f.discard()
	return f.blame(err)
}

// part is the output of a chunk for one entity; values are by side.
func (l *layout) part(t table, c *chunk, values [][]vector.Column) part {
	p := part{rows: c.persons}
	for _, i := range t.outputs {
		p.values = append(p.values, values[0][i])
		if len(values) > 1 {
			p.values = append(p.values, values[1][i])
			if differs(l.outputs[i].variable) {
				p.values = append(p.values, difference(values[0][i], values[1][i]))
			}
		}
	}
	if !t.entity.IsPerson {
		m := l.membersOf(t.entity, c)
		p.rows = len(m.names)
		p.ids = append([]ids{idsOf(m, nil)}, l.kept(c, m)...)
		return p
	}
	p.ids = append(p.ids, ids{text: l.personIDs(c)})
	for i, g := range l.groups {
		if g.id >= 0 {
			m := &c.groups[i]
			p.ids = append(p.ids, idsOf(m, m.groupOf))
		}
	}
	p.ids = append(p.ids, l.kept(c, nil)...)
	return p
}

// personIDs returns the names of the persons of a chunk. They are asked for in order.
func (l *layout) personIDs(c *chunk) func(row int) []byte {
	span, before := 0, 0
	return func(row int) []byte {
		if l.personID >= 0 {
			for row-before >= c.spans[span].to-c.spans[span].from {
				before += c.spans[span].to - c.spans[span].from
				span++
			}
			s := c.spans[span]
			if name := s.cell(s.from+row-before, l.personID).name(); len(name) > 0 {
				return name
			}
		}
		return strconv.AppendInt(nil, l.before.rows()+int64(c.first+row+1), 10)
	}
}
