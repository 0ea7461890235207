package population

import (
	"context"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
)

// source reads the rows of a file in order. A position in the file is where a row begins: a byte of a CSV file, the number of a
// row of a Parquet or HDF5 file.
type source interface {
	// header names the columns.
	header() []string
	// only says which columns are wanted; cells of others need not be given.
	only(columns []int) error
	// next returns the following rows, some thousand of them; io.EOF after the last. A batch stays as it is until its users have released it.
	next() (batch, error)
	// read is how much of the file has been read, from 0 to 1.
	read() float64
	// seek lets next go on with the first row that begins at a position or behind it.
	seek(position int64) error
	// bounds are the position of the first row, and the one behind the last.
	bounds() (from, to int64)
	close() error
}

// batch is consecutive rows of a file.
type batch interface {
	rows() int
	cell(row, column int) cell
	// name is cell(row, column).name().
	name(row, column int) []byte
	// unicode reports whether the texts of some rows, at least one, are UTF-8. It may be wrong about columns that are not wanted.
	unicode(from, to int) bool
	// place says where a row is, for messages.
	place(row int) string
	// position is where a row begins.
	position(row int) int64
	// first is the batch without the rows behind the first n. It takes the place of the batch.
	first(n int) batch
	// hold adds a user of the batch, release ends its use. Without users it may become another batch.
	hold()
	release()
}

// formats are the kinds of files, by extension.
var formats = map[string]struct {
	open   func(Object) (source, error)
	create func(io.Writer, schema) (sink, error)
}{
	".csv":     {openCSV, createCSV},
	".h5":      {openHDF5, nil},
	".hdf5":    {openHDF5, nil},
	".parquet": {openParquet, createParquet},
}

func extension(file string) string { return strings.ToLower(path.Ext(filepath.ToSlash(file))) }

// CheckInput rejects files of unknown kinds.
func CheckInput(file string) error {
	if _, ok := formats[extension(file)]; !ok {
		return fmt.Errorf("%s: an input's name ends in .csv, .parquet, .h5 or .hdf5, which is its format", file)
	}
	return nil
}

// checkOutput rejects files of kinds that cannot be written.
func checkOutput(file string) error {
	if formats[extension(file)].create == nil {
		return fmt.Errorf("%s: an output's name ends in .csv or .parquet, which is its format", file)
	}
	return nil
}

func (j *Job) open(ctx context.Context) (source, error) {
	var f Object = keptOpen{j.input}
	if j.input == nil {
		var err error
		if f, err = j.storage().Open(ctx, j.Input); err != nil {
			return nil, err
		}
	}
	s, err := formats[extension(j.Input)].open(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", j.Input, err)
	}
	return s, nil
}

// keptOpen is a file that somebody else closes.
type keptOpen struct{ Object }

func (keptOpen) Close() error { return nil }
