package population

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHDF5EqualsCSV: the layouts of testdata/hdf5/make.py give the answers that the same persons in a CSV file give, whatever the size of the chunks.
func TestHDF5EqualsCSV(t *testing.T) {
	all := []string{"salary", "birth", "student", "nickname", "children", "fee"}
	for _, test := range []struct {
		file, csv string
		variables []string
	}{
		{"arrays.h5", "persons.csv", all},
		{"table.hdf5", "persons.csv", all},
		{"fixed.h5", "numbers.csv", []string{"salary", "student", "children"}},
		{"periods.h5", "periods.csv", []string{"salary", "fee"}},
	} {
		t.Run(test.file, func(t *testing.T) {
			want, err := run(t, landJob(t, filepath.Join("testdata/hdf5", test.csv), test.variables...))
			if err != nil {
				t.Fatal(err)
			}
			for _, chunk := range []int{0, 7} {
				j := landJob(t, filepath.Join("testdata/hdf5", test.file), test.variables...)
				j.Chunk = chunk
				got, err := run(t, j)
				if err != nil {
					t.Fatal(err)
				}
				for name, text := range want {
					if got[name] != text || strings.Count(text, "\n") < 10 {
						t.Errorf("%s in chunks of %d:\n%.300s\nwant\n%.300s", name, chunk, got[name], text)
					}
				}
			}
		})
	}
}

// TestHDF5Parts: the parts of a file in HDF5 merge to the bytes of one run.
func TestHDF5Parts(t *testing.T) {
	j := landJob(t, "testdata/hdf5/arrays.h5", "salary", "children")
	want, err := run(t, j)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{2, 5} {
		got, _, err := inParts(t, j, n)
		if err != nil || got["out.csv"] != want["out.csv"] {
			t.Errorf("%d parts: %v\n%.300s\nwant\n%.300s", n, err, got["out.csv"], want["out.csv"])
		}
	}
}

func TestHDF5Errors(t *testing.T) {
	cut, err := os.ReadFile("testdata/hdf5/arrays.h5")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, test := range []struct{ file, want string }{
		{"testdata/hdf5/objects.h5", `table "person" has columns of Python objects (nickname): write it with format="table" and data_columns=True`},
		{"testdata/hdf5/blocks.h5", `table "person" has no names of columns: write it with format="table" and data_columns=True`},
		{"testdata/hdf5/two.h5", "the HDF5 file holds more than one table (household, person): write one table with a row for each person"},
		{"testdata/hdf5/lengths.h5", `column "club_weight" has 17 values, "children" has 50: all columns need one value for each person`},
		{"testdata/hdf5/matrix.h5", "/salary has 2 dimensions: a column has one"},
		{"testdata/hdf5/empty.h5", "the HDF5 file holds no arrays: write one array for each column, or a pandas table with data_columns=True"},
		{file(t, dir, "cut.h5", string(cut[:len(cut)/2])), "the HDF5 file is damaged or truncated: "},
		{file(t, dir, "csv.h5", "person_id,salary\n1,2\n"), "this is not an HDF5 file: the name of a CSV file ends in .csv, of a Parquet file in .parquet"},
	} {
		_, err := run(t, landJob(t, test.file, "salary"))
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), test.file+": ") {
			t.Errorf("%s: %v\nwant %s", test.file, err, test.want)
		}
	}
	j := landJob(t, "testdata/hdf5/arrays.h5", "salary")
	j.Output = "out.h5"
	if _, err := run(t, j); err == nil || !strings.Contains(err.Error(), "an output's name ends in .csv or .parquet") {
		t.Errorf("an output in HDF5: %v", err)
	}
}
