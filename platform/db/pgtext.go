package db

import (
	"fmt"
	"regexp"
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

// plainInsert matches an insertion of one row that can neither meet a conflict nor return anything.
var plainInsert = regexp.MustCompile(`^(INSERT INTO [a-z_]+ \([a-z_, ]+\)) VALUES \(([^()]*)\)$`)

// manyRows makes an insertion of one row, as translate wrote it, one of many: its parameters are arrays. types are those of the parameters
// of one row. ok is false for any other statement.
func manyRows(insert string, types []uint32) (text string, ok bool) {
	parts := plainInsert.FindStringSubmatch(insert)
	if parts == nil || len(types) == 0 {
		return "", false
	}
	values := strings.Split(parts[2], ",")
	for i, v := range values {
		values[i] = strings.ReplaceAll(strings.TrimSpace(v), "$", "v.p")
	}
	arrays, names := make([]string, len(types)), make([]string, len(types))
	for i, t := range types {
		name, known := arrayNames[t]
		if !known {
			return "", false
		}
		arrays[i], names[i] = fmt.Sprintf("$%d::%s", i+1, name), "p"+strconv.Itoa(i+1)
	}
	return fmt.Sprintf("%s SELECT %s FROM unnest(%s) AS v (%s)", parts[1], strings.Join(values, ", "), strings.Join(arrays, ", "), strings.Join(names, ", ")), true
}
