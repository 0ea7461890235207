package population

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// reportFormats are the kinds of report files, by extension.
var reportFormats = map[string]func(*Findings, io.Writer) error{
	".json": (*Findings).WriteJSON,
	".csv":  (*Findings).WriteCSV,
}

// WriteJSON writes the findings as one JSON object.
func (f *Findings) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(f)
}

// WriteCSV writes the findings with a row per figure: the column and value that it is by (empty for all persons), what it is of, the
// measure, and its base, reform and difference. Lines that begin with # come before, with the provenance.
func (f *Findings) WriteCSV(w io.Writer) error {
	if _, err := w.Write(f.Provenance.block()); err != nil {
		return err
	}
	rows := [][]string{slices.Clone(csvHeader)}
	if f.Label != "" {
		rows = append(rows, []string{"", "", "label", f.Label, "", "", ""})
	}
	for _, c := range f.Inputs {
		rows = append(rows, []string{"", "", "input", c.String(), "", "", ""})
	}
	for _, row := range rows {
		for i := range row {
			row[i] = noFormula(row[i])
		}
	}
	return csv.NewWriter(w).WriteAll(append(rows, f.measured()...))
}

// noFormula returns a text that no spreadsheet takes for a formula: one that begins like a formula, and is no number, gets an apostrophe, as in
// the console's downloads. Rows of persons are not changed: their ids must be those of the input.
func noFormula(text string) string {
	if len(text) < 2 || !strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return text
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return text
	}
	return "'" + text
}

// figureRow is a row of the CSV report: a measure of a group, with base, reform and difference.
type figureRow struct {
	column, value, of, measure string
	sides                      [3]float64
	present                    int // sides: 1 or 3
}

// texts are the cells of the row.
func (r *figureRow) texts() []string {
	row := []string{noFormula(r.column), noFormula(r.value), noFormula(r.of), r.measure, "", "", ""}
	for i := range r.present {
		one := Figure(r.sides[i])
		row[4+i] = plain(&one)
	}
	return row
}

// rowOf is a row of a pair.
func rowOf(of, measure string, p Pair) figureRow {
	number := func(f *Figure) float64 {
		if f == nil {
			return math.NaN()
		}
		return float64(*f)
	}
	row := figureRow{of: of, measure: measure, sides: [3]float64{float64(p.Base), number(p.Reform), number(p.Difference)}, present: 1}
	if p.Reform != nil || p.Difference != nil {
		row.present = 3
	}
	return row
}

// values gives the figures of a group one by one.
func (g *Group) values() (rows []figureRow) {
	single := func(of, measure string, figure *Figure) {
		if figure != nil {
			rows = append(rows, rowOf(of, measure, Pair{Base: *figure}))
		}
	}
	pair := func(of, measure string, p Pair) { rows = append(rows, rowOf(of, measure, p)) }
	single("persons", "weight", &g.Persons)
	if g.Incomes != nil {
		single("households", "weight", &g.Households)
	}
	for _, t := range g.Variables {
		pair(t.Variable, "total", t.Total)
		pair(t.Variable, "mean", t.Mean)
	}
	for _, m := range g.Incomes {
		pair("income", m.Name, m.Pair)
	}
	for _, d := range g.Deciles {
		of := "decile " + strconv.Itoa(d.Decile)
		single(of, "upTo", d.UpTo)
		single(of, "persons", &d.Persons)
		pair(of, "meanIncome", d.Mean)
		single(of, "winners", d.Winners)
		single(of, "losers", d.Losers)
		single(of, "unchanged", d.Unchanged)
		single(of, "meanGain", d.MeanGain)
	}
	return rows
}

// plain is a figure with all its digits; "" for none and for what is no number.
func plain(f *Figure) string {
	if f == nil || math.IsNaN(float64(*f)) || math.IsInf(float64(*f), 0) {
		return ""
	}
	return strconv.FormatFloat(float64(*f), 'f', -1, 64)
}

// WriteTable writes the findings for people.
func (f *Findings) WriteTable(w io.Writer) error {
	var out bytes.Buffer
	if f.Label != "" {
		fmt.Fprintln(&out, f.Label)
	}
	fmt.Fprintf(&out, "Period %s\n", f.Period)
	if f.Income != "" {
		fmt.Fprintf(&out, "Income %s, equivalence %s, poverty line %s\n", f.Income, f.Equivalence, figure(f.Line, 2))
	}
	if p := f.Precision; p != nil {
		fmt.Fprintf(&out, "Standard errors by %s, %d replicates, %d degrees of freedom\n", p.Method, p.Replicates, p.DF)
	}
	f.Group.table(&out, f.Compared)
	f.Precision.table(&out, f.Compared)
	for _, c := range f.Inputs {
		fmt.Fprintln(&out, "note:", c)
	}
	for _, by := range f.By {
		for i := range by.Values {
			fmt.Fprintf(&out, "\n%s = %s\n", by.Column, by.Values[i].Value)
			by.Values[i].table(&out, f.Compared)
		}
	}
	_, err := out.WriteTo(w)
	return err
}

func (g *Group) table(out io.Writer, compared bool) {
	line := "Persons " + figure(&g.Persons, 0)
	if g.Incomes != nil {
		line += ", households " + figure(&g.Households, 0)
	}
	fmt.Fprintln(out, line)
	sides := []string{"base"}
	if compared {
		sides = []string{"base", "reform", "difference"}
	}
	if len(g.Variables) > 0 {
		rows := [][]string{append([]string{"variable", "of", ""}, sides...)}
		for _, t := range g.Variables {
			rows = append(rows, append([]string{t.Variable, t.Entity, "total"}, t.Total.cells(0)...), append([]string{"", "", "mean"}, t.Mean.cells(2)...))
		}
		align(out, rows)
	}
	if g.Incomes != nil {
		rows := [][]string{append([]string{"income"}, sides...)}
		for _, m := range g.Incomes {
			rows = append(rows, append([]string{m.Name}, m.cells(decimals[m.Name])...))
		}
		align(out, rows)
		align(out, g.decileRows(compared))
	}
	for _, text := range g.Warnings {
		fmt.Fprintln(out, "note:", text)
	}
}

// table writes the standard errors of everything but deciles, for people.
func (p *Precision) table(out io.Writer, compared bool) {
	if p == nil {
		return
	}
	rows := [][]string{{"standard error", "", "base"}}
	if compared {
		rows[0] = append(rows[0], "reform", "difference")
	}
	for _, f := range p.Figures {
		if f.Column != "" || strings.HasPrefix(f.Of, "decile ") {
			continue
		}
		digits := 2
		if f.Of == "income" {
			digits = max(digits, decimals[f.Measure])
		}
		cells := f.Error.cells(digits)
		rows = append(rows, append([]string{f.Of, f.Measure}, append(cells, make([]string, len(rows[0])-2-len(cells))...)...))
	}
	align(out, rows)
}

// decimals are how many digits measures have after the point.
var decimals = map[string]int{
	"mean": 2, "median": 2, "gini": 4, "s80s20": 4, "theil": 4, "povertyRate": 4, "povertyGap": 4, "medianPovertyGap": 4,
}

// align writes rows after an empty line: the first column from the left, the others from the right.
func align(out io.Writer, rows [][]string) {
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], len(cell))
		}
	}
	fmt.Fprintln(out)
	for _, row := range rows {
		fmt.Fprintf(out, "%-*s", width[0], row[0])
		for i, cell := range row[1:] {
			fmt.Fprintf(out, "  %*s", width[i+1], cell)
		}
		fmt.Fprintln(out)
	}
}

func (g *Group) decileRows(compared bool) [][]string {
	head := []string{"decile", "up to", "persons", "mean income"}
	if compared {
		head = append(head, "reform", "winners", "losers", "unchanged", "mean gain")
	}
	rows := [][]string{head}
	for _, d := range g.Deciles {
		cells := []string{strconv.Itoa(d.Decile), figure(d.UpTo, 0), figure(&d.Persons, 0), figure(&d.Mean.Base, 0)}
		if compared {
			cells = append(cells, figure(d.Mean.Reform, 0), percent(d.Winners), percent(d.Losers), percent(d.Unchanged), figure(d.MeanGain, 2))
		}
		rows = append(rows, cells)
	}
	return rows
}

func (p Pair) cells(digits int) []string {
	if p.Reform == nil {
		return []string{figure(&p.Base, digits)}
	}
	return []string{figure(&p.Base, digits), figure(p.Reform, digits), figure(p.Difference, digits)}
}

func percent(f *Figure) string {
	if f == nil || math.IsNaN(float64(*f)) {
		return "-"
	}
	return strconv.FormatFloat(100*float64(*f), 'f', 1, 64) + " %"
}

// figure is a number for people: with so many decimals, thousands apart.
func figure(f *Figure, digits int) string {
	if f == nil || math.IsNaN(float64(*f)) || math.IsInf(float64(*f), 0) {
		return "-"
	}
	text := strconv.FormatFloat(float64(*f), 'f', digits, 64)
	whole, rest, _ := strings.Cut(text, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + " " + whole[i:]
	}
	if digits == 0 {
		return sign + whole
	}
	return sign + whole + "." + rest
}
