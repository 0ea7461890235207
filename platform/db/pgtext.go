package db

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Statements are written once, in the SQL of SQLite. PostgreSQL understands nearly all of it; what it does not is translated when a
// statement is prepared, here and nowhere else. A component whose statement cannot be said in common words gives its other form with its
// Migrations.

// words are what PostgreSQL says otherwise. A list is JSON in a text on SQLite and becomes an array (pgvalue.go). SQLite keeps the order of
// a CROSS JOIN, for which PostgreSQL has its planner; +? and +column keep SQLite from planning by a value or an index.
var words = []struct{ here, there string }{
	{"IN (SELECT value FROM json_each(?))", "= ANY(?)"},
	{"IN (SELECT value FROM json_each(?2))", "= ANY(?2)"},
	{"CROSS JOIN", "JOIN"},
	{"LIMIT -1 ", "LIMIT ALL "},
	{"+?", "?"},
	{"x'7b7d'", `'\x7b7d'`},
}

// translate writes a statement for PostgreSQL: its words, and parameters as $1.
func translate(query string) string {
	for _, w := range words {
		query = strings.ReplaceAll(query, w.here, w.there)
	}
	var b strings.Builder
	next := 0
	for {
		at := strings.IndexAny(query, "?'")
		if at < 0 {
			b.WriteString(query)
			return b.String()
		}
		b.WriteString(query[:at])
		if query[at] == '\'' { // a text is left as it is
			end := strings.IndexByte(query[at+1:], '\'')
			if end < 0 {
				b.WriteString(query[at:])
				return b.String()
			}
			b.WriteString(query[at : at+end+2])
			query = query[at+end+2:]
			continue
		}
		query = query[at+1:]
		digits := 0
		for digits < len(query) && query[digits] >= '0' && query[digits] <= '9' {
			digits++
		}
		number := query[:digits]
		if digits == 0 {
			next++
			number = strconv.Itoa(next)
		}
		b.WriteString("$" + number)
		query = query[digits:]
	}
}

// plainInsert matches an insertion of one row that returns nothing, and what it does when it meets a conflict.
var plainInsert = regexp.MustCompile(`^(INSERT INTO ([a-z_]+) \(([a-z_, ]+)\)) VALUES \(([^()]*)\)( ON CONFLICT \(([a-z_, ]+)\) DO UPDATE SET ([a-z_, =.]+))?$`)

// insertion is an insertion of one row that can be made one of many.
type insertion struct {
	table string
	keys  []int  // of one that replaces: the parameters that tell rows apart
	many  string // the statement for many rows: its parameters are arrays
}

// insertionOf reads a statement as translate wrote it. types are those of the parameters of one row. It returns nil for a statement that is none, or
// whose row is not wholly replaced by another of the same key: of several such rows in one statement, the last stands for all.
func insertionOf(insert string, types []uint32) *insertion {
	parts := plainInsert.FindStringSubmatch(strings.Join(strings.Fields(insert), " "))
	if parts == nil || len(types) == 0 {
		return nil
	}
	in := &insertion{table: parts[2]}
	values := listed(parts[4])
	if parts[5] != "" {
		if in.keys = replaces(listed(parts[3]), values, listed(parts[6]), listed(parts[7])); in.keys == nil {
			return nil
		}
	}
	var ok bool
	if in.many, ok = manyRows(parts[1], values, types); !ok {
		return nil
	}
	in.many += parts[5]
	return in
}

// listed splits a list with commas.
func listed(list string) []string {
	all := strings.Split(list, ",")
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return all
}

// replaces returns the parameters of the keys of an insertion that replaces all else of a row it meets; nil for any other.
func replaces(columns, values, keys, set []string) (parameters []int) {
	if len(columns) != len(values) || len(keys)+len(set) != len(columns) {
		return nil
	}
	for i, c := range columns {
		if values[i] != "$"+strconv.Itoa(i+1) {
			return nil
		}
		switch {
		case slices.Contains(keys, c):
			parameters = append(parameters, i)
		case !slices.Contains(set, c+" = excluded."+c):
			return nil
		}
	}
	return parameters
}

// manyRows makes what an insertion of one row begins with that of one of many.
func manyRows(into string, values []string, types []uint32) (text string, ok bool) {
	for i, v := range values {
		values[i] = strings.ReplaceAll(v, "$", "v.p")
	}
	arrays, names := make([]string, len(types)), make([]string, len(types))
	for i, t := range types {
		name, known := arrayNames[t]
		if !known {
			return "", false
		}
		arrays[i], names[i] = fmt.Sprintf("$%d::%s", i+1, name), "p"+strconv.Itoa(i+1)
	}
	return fmt.Sprintf("%s SELECT %s FROM unnest(%s) AS v (%s)", into, strings.Join(values, ", "), strings.Join(arrays, ", "), strings.Join(names, ", ")), true
}
