package population

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// source reads the rows of a file in order.
type source interface {
	// header names the columns.
	header() []string
	// only says which columns are wanted; cells of others need not be given.
	only(columns []int) error
	// next returns the following rows, some thousand of them; io.EOF after the last. A batch stays as it is.
	next() (batch, error)
	// read is how much of the file has been read, from 0 to 1.
	read() float64
	close() error
}

// batch is consecutive rows of a file.
type batch interface {
	rows() int
	cell(row, column int) cell
	// name is cell(row, column).name().
	name(row, column int) []byte
	// place says where a row is, for messages.
	place(row int) string
}

// formats are the kinds of files, by extension.
var formats = map[string]struct {
	open   func(*os.File) (source, error)
	create func(*os.File, schema) (sink, error)
}{
	".csv":     {openCSV, createCSV},
	".parquet": {openParquet, createParquet},
}

func extension(file string) string { return strings.ToLower(filepath.Ext(file)) }

// checkFormat refuses files of kinds that are not known.
func checkFormat(file string) error {
	if _, ok := formats[extension(file)]; !ok {
		return fmt.Errorf("%s: the name of a file ends in .csv or .parquet, which says what it holds", file)
	}
	return nil
}

func open(file string) (source, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	s, err := formats[extension(file)].open(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}
