package pyeval

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestCSVPlainLines: lines that are read piece by piece give what reading them character by character gives.
func TestCSVPlainLines(t *testing.T) {
	plain := 0
	for seed := range uint64(20000) {
		r := rand.New(rand.NewPCG(seed, 1))
		var line strings.Builder
		for range r.IntN(9) {
			line.WriteString([]string{"a", "bc", ",", ",", `"`, `"`, `"d"`, " ", "\r", "\n"}[r.IntN(10)])
		}
		line.WriteString([]string{"", "\n", "\r\n"}[r.IntN(3)])
		one := csvParser{csvDialect: csvDialect{',', '"'}, table: &csvTable{}}
		if !one.plainLine(line.String()) {
			if len(one.table.fields)+len(one.table.ends) > 0 {
				t.Fatalf("%q is refused, and something of it has been read", line.String())
			}
			continue
		}
		plain++
		other := csvParser{csvDialect: one.csvDialect, table: &csvTable{}}
		other.line(line.String())
		if other.quoted || !slices.Equal(one.table.fields, other.table.fields) || !slices.Equal(one.table.ends, other.table.ends) {
			t.Fatalf("%q: %q %v, want %q %v", line.String(), one.table.fields, one.table.ends, other.table.fields, other.table.ends)
		}
	}
	if plain < 5000 {
		t.Errorf("%d lines are plain", plain)
	}
}
