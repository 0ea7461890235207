package population

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"edict/simulation/hdf5"
)

// An HDF5 file holds one table of persons, in one of these layouts:
//
//	/NAME                an array for each column (h5py)
//	/NAME/PERIOD         an array for each column and period, the column NAME:PERIOD
//	/KEY/table           a frame of pandas in the format table, with data_columns=True
//	/KEY/block0_values   a frame of pandas in the format fixed, without texts

// hdf5Source reads the columns of an HDF5 file.
type hdf5Source struct {
	file    Object
	names   []string
	columns []*hdf5.Column
	wanted  []int
	total   int
	given   int // rows
}

func openHDF5(f Object) (source, error) {
	file, err := hdf5.Open(f, f.Size())
	if errors.Is(err, hdf5.ErrNotHDF5) {
		return nil, errors.New("this is not an HDF5 file: the name of a CSV file ends in .csv, of a Parquet file in .parquet")
	}
	if err != nil {
		return nil, err
	}
	root, err := file.Root()
	if err != nil {
		return nil, err
	}
	s := &hdf5Source{file: f}
	if err := s.readRoot(root); err != nil {
		return nil, err
	}
	if len(s.columns) == 0 {
		return nil, errors.New("the HDF5 file holds no arrays: write one array for each column, or a pandas table with data_columns=True")
	}
	s.total = s.columns[0].Rows
	for i, c := range s.columns {
		if c.Rows != s.total {
			return nil, fmt.Errorf("column %s has %d values, %s has %d: all columns need one value for each person", quoted(s.names[i]), c.Rows, quoted(s.names[0]), s.total)
		}
	}
	return s, nil
}

// readRoot finds the columns: those of the only frame of pandas, or the arrays of the root and of its groups.
func (s *hdf5Source) readRoot(root *hdf5.Group) error {
	frames := make(map[string]*hdf5.Group)
	for _, name := range root.Names() {
		child, err := root.Child(name)
		if err != nil {
			return err
		}
		switch child := child.(type) {
		case *hdf5.Dataset:
			err = s.array(name, child)
		case *hdf5.Group:
			kind, wrong := pandasType(child)
			if err = wrong; kind != "" {
				frames[name] = child
			} else if err == nil {
				err = s.periods(name, child)
			}
		}
		if err != nil {
			return err
		}
	}
	switch {
	case len(frames) == 0:
		return nil
	case len(frames) > 1 || len(s.columns) > 0:
		return fmt.Errorf("the HDF5 file holds more than one table (%s): write one table with a row for each person", strings.Join(root.Names(), ", "))
	}
	for name, frame := range frames {
		return s.frame(name, frame)
	}
	return nil
}

// pandasType is what pandas calls a group that it wrote, "" for others.
func pandasType(g *hdf5.Group) (string, error) {
	c, err := g.Attribute("pandas_type")
	if c == nil || err != nil || c.Kind != hdf5.Text || c.Rows == 0 {
		return "", err
	}
	v, err := c.Read(0, 1)
	if err != nil {
		return "", err
	}
	return v.Texts[0], nil
}

func (s *hdf5Source) add(name string, c *hdf5.Column) {
	s.names, s.columns = append(s.names, name), append(s.columns, c)
}

// array adds a column. A single number or text, such as the year of a file, is none.
func (s *hdf5Source) array(name string, d *hdf5.Dataset) error {
	switch len(d.Shape()) {
	case 0:
		return nil
	case 1:
	default:
		return fmt.Errorf("%s has %d dimensions: a column has one", d.Path(), len(d.Shape()))
	}
	columns := d.Columns()
	for _, c := range columns {
		switch {
		case c.Name == "":
			s.add(name, c)
		default: // an array of records is a table
			s.add(c.Name, c)
		}
	}
	return nil
}

// periods adds the columns of a variable that has an array for each period.
func (s *hdf5Source) periods(name string, g *hdf5.Group) error {
	for _, at := range g.Names() {
		child, err := g.Child(at)
		if err != nil {
			return err
		}
		d, ok := child.(*hdf5.Dataset)
		if !ok || len(d.Shape()) != 1 || d.Columns()[0].Name != "" {
			return fmt.Errorf("%s/%s is not a column: a group holds one array for each period", g.Path(), at)
		}
		s.add(name+":"+at, d.Columns()[0])
	}
	return nil
}

// frame adds the columns of a frame of pandas.
func (s *hdf5Source) frame(name string, g *hdf5.Group) error {
	if child, err := g.Child("table"); err != nil {
		return err
	} else if table, ok := child.(*hdf5.Dataset); ok {
		for _, c := range table.Columns() {
			if strings.HasPrefix(c.Name, "values_block_") {
				return fmt.Errorf("table %s has no names of columns: write it with format=\"table\" and data_columns=True", quoted(name))
			}
			if c.Name != "index" {
				s.add(c.Name, c)
			}
		}
		return nil
	}
	for i := 0; ; i++ {
		child, err := g.Child(fmt.Sprintf("block%d_values", i))
		if err != nil {
			return err
		}
		values, ok := child.(*hdf5.Dataset)
		if !ok {
			break
		}
		if err := s.block(name, g, i, values); err != nil {
			return err
		}
	}
	return s.inOrder(g)
}

// block adds the columns that a frame in the format fixed stores together.
func (s *hdf5Source) block(name string, g *hdf5.Group, i int, values *hdf5.Dataset) error {
	items, err := texts(g, fmt.Sprintf("block%d_items", i))
	if err != nil {
		return err
	}
	columns := values.Columns()
	if len(columns) != len(items) || len(columns) > 0 && columns[0].Kind == hdf5.Unreadable {
		return fmt.Errorf("table %s has columns of Python objects (%s): write it with format=\"table\" and data_columns=True", quoted(name), strings.Join(items, ", "))
	}
	for i, c := range columns {
		s.add(items[i], c)
	}
	return nil
}

// inOrder sorts the columns of a frame as the frame has them.
func (s *hdf5Source) inOrder(g *hdf5.Group) error {
	order, err := texts(g, "axis0")
	if err != nil {
		return err
	}
	sorted := hdf5Source{file: s.file}
	for _, name := range order {
		if i := slices.Index(s.names, name); i >= 0 {
			sorted.add(name, s.columns[i])
		}
	}
	if len(sorted.names) == len(s.names) {
		*s = sorted
	}
	return nil
}

// texts reads an array of names.
func texts(g *hdf5.Group, name string) ([]string, error) {
	child, err := g.Child(name)
	if err != nil {
		return nil, err
	}
	d, ok := child.(*hdf5.Dataset)
	if !ok {
		return nil, fmt.Errorf("%s/%s is missing", g.Path(), name)
	}
	c := d.Columns()[0]
	if c.Kind != hdf5.Text {
		return nil, fmt.Errorf("%s holds %s: names of columns are texts", d.Path(), c.Type())
	}
	v, err := c.Read(0, c.Rows)
	return v.Texts, err
}

func (s *hdf5Source) header() []string { return s.names }

func (s *hdf5Source) only(columns []int) error {
	s.wanted = slices.Clone(columns)
	for _, i := range columns {
		if s.columns[i].Kind == hdf5.Unreadable {
			return fmt.Errorf("column %s holds %s: integers, floating-point numbers, truth values and texts are supported", quoted(s.names[i]), s.columns[i].Type())
		}
	}
	return nil
}

func (s *hdf5Source) next() (batch, error) {
	n := min(s.total-s.given, columnRows)
	if n == 0 {
		return nil, io.EOF
	}
	b := &columnBatch{start: s.given, count: n, columns: make([]typedCells, len(s.columns))}
	for _, i := range s.wanted {
		v, err := s.columns[i].Read(s.given, n)
		if err != nil {
			return nil, err
		}
		for row := range n {
			b.columns[i].add(hdf5Cell(v, row))
		}
	}
	s.given += n
	return b, nil
}

func hdf5Cell(v hdf5.Values, row int) cell {
	switch v.Kind {
	case hdf5.Integer:
		return cell{kind: integer, int: v.Ints[row]}
	case hdf5.Truth:
		return cell{kind: truth, int: v.Ints[row]}
	case hdf5.Float:
		return cell{kind: number, num: v.Floats[row]}
	}
	if v.Texts[row] == "" {
		return cell{}
	}
	return cell{kind: text, text: []byte(v.Texts[row])}
}

func (s *hdf5Source) read() float64 { return float64(s.given) / float64(max(s.total, 1)) }

func (s *hdf5Source) seek(position int64) error {
	s.given = int(position)
	return nil
}

func (s *hdf5Source) bounds() (from, to int64) { return 0, int64(s.total) }

func (s *hdf5Source) close() error { return s.file.Close() }
