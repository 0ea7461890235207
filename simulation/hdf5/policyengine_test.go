package hdf5

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"io"
	"maps"
	"math"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// drawn reads a dataset that draw.py wrote.
func drawn(t *testing.T, name string) []byte {
	t.Helper()
	f, err := os.Open("../yamltest/testdata/policyengine/datasets/" + name + ".gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// inputs are the columns of a dataset by the variable's name; of tables those below entity/table, of a file with years those of one.
func inputs(t *testing.T, name, year string) map[string]Values {
	t.Helper()
	data := drawn(t, name)
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	root, err := f.Root()
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]Values)
	walk(t, root, func(where string, d *Dataset) {
		table := path.Base(where) == "table"
		if strings.Contains(where, "time_period/") || strings.Contains(where, "_i_") || year != "" && !strings.Contains(where, "/"+year) {
			return
		}
		for _, c := range d.Columns() {
			variable, _, _ := strings.Cut(strings.Trim(where, "/"), "/")
			if table {
				variable = c.Name
			}
			if variable == "index" {
				continue
			}
			if _, ok := all[variable]; ok {
				t.Errorf("%s has %s twice", name, variable)
			}
			if all[variable], err = c.Read(0, c.Rows); err != nil {
				t.Errorf("%s: %s: %v", name, where, err)
			}
		}
	})
	return all
}

// TestPolicyEngineLayouts reads the same dataset in each layout that PolicyEngine's classes read: every column has the same values in all of them.
func TestPolicyEngineLayouts(t *testing.T) {
	for country, groups := range map[string][]string{"us": {"household", "tax_unit", "spm_unit", "family", "marital_unit"}, "uk": {"household", "benunit"}} {
		want := inputs(t, country+".time_period_arrays.h5", "")
		if len(want) < 40 || len(want["person_id"].Ints) < 40 || len(want["household_id"].Ints) != 20 {
			t.Fatalf("%s has %d columns", country, len(want))
		}
		files := map[string]string{country + ".arrays.h5": "", country + ".tables.h5": ""}
		if country == "uk" {
			files["uk.years.h5"] = "2025"
		}
		for file, year := range files {
			got := inputs(t, file, year)
			if a, b := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)); !slices.Equal(a, b) {
				t.Errorf("%s has columns %q, not %q", file, a, b)
			}
			for name, v := range want {
				if a, b := texts(got[name]), texts(v); !slices.Equal(a, b) {
					t.Errorf("%s: %s is %.200q, not %.200q", file, name, a, b)
				}
			}
		}
		flat(t, country, groups, want)
	}
}

// flat compares the file with a row per person, where a group's values are on the row of each member.
func flat(t *testing.T, country string, groups []string, want map[string]Values) {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(drawn(t, country+".flat_file.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	people := len(want["person_id"].Ints)
	if len(rows) != people+1 || len(rows[0]) != len(want) {
		t.Fatalf("%s: %d rows of %d columns", country, len(rows), len(rows[0]))
	}
	places := [][]int{nil} // for each entity the row of a person's values, the persons' own first
	for _, group := range groups {
		var place []int
		for i, id := range want["person_"+group+"_id"].Ints {
			at := slices.Index(want[group+"_id"].Ints, id)
			if at < 0 {
				t.Fatalf("%s: person %d is in no %s", country, i, group)
			}
			place = append(place, at)
		}
		places = append(places, place)
	}
	for column, title := range rows[0] {
		name, _, _ := strings.Cut(title, "__")
		values := texts(want[name])
		if !slices.ContainsFunc(places, func(place []int) bool {
			for i, row := range rows[1:] {
				at := i
				if place != nil {
					at = place[i]
				}
				if at >= len(values) || plainly(row[column], want[name]) != values[at] {
					return false
				}
			}
			return true
		}) {
			t.Errorf("%s: %s differs", country, name)
		}
	}
}

// plainly is a text of a CSV file as texts shows values of that kind.
func plainly(text string, as Values) string {
	switch as.Kind {
	case Float:
		n, err := strconv.ParseFloat(text, 32)
		if err != nil {
			return err.Error()
		}
		return strconv.FormatUint(math.Float64bits(n), 16)
	case Truth:
		return map[string]string{"True": "1", "False": "0"}[text]
	}
	return text
}
