package population

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// maxReport bounds the file of a report.
const maxReport = 1 << 30

// Recorded is a report that was read from its file.
type Recorded struct {
	Provenance *Provenance
	rows       [][]string
	head       *Findings // nil for a CSV report
}

var csvHeader = []string{"column", "value", "of", "measure", "base", "reform", "difference"}

// ReadReport reads a report that was written as .json or .csv.
func ReadReport(ctx context.Context, where Storage, name string) (*Recorded, error) {
	text, err := readAll(ctx, where, name, maxReport)
	if err != nil {
		return nil, err
	}
	read := readCSVReport
	if extension(name) == ".json" {
		read = readJSONReport
	} else if extension(name) != ".csv" {
		return nil, fmt.Errorf("%s: the name of a report ends in .json or .csv", name)
	}
	r, err := read(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if r.Provenance == nil || r.Provenance.Figures == "" || len(r.Provenance.Inputs) == 0 {
		return nil, fmt.Errorf("%s: the report has no provenance, without which it cannot be computed again", name)
	}
	return r, nil
}

func readJSONReport(text []byte) (*Recorded, error) {
	f := &Findings{}
	if err := json.Unmarshal(text, f); err != nil {
		return nil, fmt.Errorf("this is no report of edict population: %w", err)
	}
	return &Recorded{f.Provenance, f.figureRows(), f}, nil
}

func readCSVReport(text []byte) (*Recorded, error) {
	p := &Provenance{}
	for bytes.HasPrefix(text, []byte("#")) {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
		name, value, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(string(line), "#")), ": ")
		for _, k := range p.keys() {
			if k.name != name {
				continue
			}
			if err := json.Unmarshal([]byte(value), k.part); err != nil {
				return nil, fmt.Errorf("the line # %s: %w", name, err)
			}
		}
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 || !slices.Equal(rows[0], csvHeader) {
		return nil, errors.New("this is no report of edict population: its columns are " + strings.Join(csvHeader, ", "))
	}
	rows = withFigures(rows[1:])
	for _, row := range rows {
		for i := 4; i < len(row); i++ {
			row[i] = canonicalNumber(row[i])
		}
	}
	return &Recorded{Provenance: p, rows: rows}, nil
}

// Edited reports whether figures were changed after the report was written.
func (r *Recorded) Edited() bool { return hashRows(r.rows) != r.Provenance.Figures }

// Mislabelled lists statements of the report that contradict its options.
func (r *Recorded) Mislabelled() (all []string) {
	if r.head == nil {
		return nil
	}
	o := r.Provenance.Options
	for _, one := range []struct{ name, said, recorded string }{
		{"period", r.head.Period, o.Period}, {"income", r.head.Income, o.Income}, {"compared", fmt.Sprint(r.head.Compared), fmt.Sprint(o.Compare)},
		{"equivalence", r.head.Equivalence, equivalenceOf(o)},
	} {
		if one.said != one.recorded {
			all = append(all, fmt.Sprintf("options: %s is %q in the report and %q in its provenance", one.name, Shown(one.said), Shown(one.recorded)))
		}
	}
	return all
}

// equivalenceOf is the scale that a report names, which is none without an income.
func equivalenceOf(o ProvenanceOptions) string {
	if o.Income == "" {
		return ""
	}
	return o.Equivalence
}

// mostDifferences bounds how many figures are listed.
const mostDifferences = 10

// Differences lists the figures of the report that are others in findings, the first of them by name, and their number.
func (r *Recorded) Differences(f *Findings) (lines []string, n int) {
	name := func(row []string) string {
		text := row[2] + " " + row[3]
		if row[0] != "" {
			text += " of " + row[0] + " = " + row[1]
		}
		return text
	}
	add := func(format string, args ...any) {
		if n++; n <= mostDifferences {
			lines = append(lines, fmt.Sprintf(format, args...))
		}
	}
	all := f.figureRows()
	names, written := keysOf(all), keysOf(r.rows)
	computed := map[string][]string{}
	for i, row := range all {
		computed[names[i]] = row
	}
	for k, row := range r.rows {
		again, there := computed[written[k]]
		if delete(computed, written[k]); !there {
			add("%s: in the report, and not computed", Shown(name(row)))
			continue
		}
		for i, side := range csvHeader[4:] {
			if row[4+i] != again[4+i] {
				add("%s, %s: %s in the report, %s computed", Shown(name(row)), side, figureText(row[4+i]), figureText(again[4+i]))
			}
		}
	}
	for i, row := range all {
		if _, left := computed[names[i]]; left {
			add("%s: computed, and not in the report", Shown(name(row)))
		}
	}
	return lines, n
}

// keysOf returns a key for each row. A variable named income has a mean as the distribution has: equal names are numbered.
func keysOf(rows [][]string) []string {
	keys, seen := make([]string, len(rows)), map[string]int{}
	for i, row := range rows {
		name := strings.Join(row[:4], "\x00")
		seen[name]++
		keys[i] = fmt.Sprintf("%s\x00%d", name, seen[name])
	}
	return keys
}

func figureText(text string) string {
	if text == "" {
		return "no figure"
	}
	return text
}
