package scenario

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"edict/simulation/legislation"
	"edict/simulation/period"
)

// The bounds of the dates that scenarios are about.
var (
	firstDay = period.Instant{Year: 1870, Month: 1, Day: 1}
	lastDay  = period.Instant{Year: 2099, Month: 12, Day: 31}
)

// ParsePeriod reads a period in any of the forms that /api/1 knows: a year as a number, text in the old syntax (2015:2,
// 2015-02:3, month:2015) or in OpenFisca's, {"unit", "start", "size"}, or [unit, start, size]. Years and months begin with a
// month and weeks with a Monday: what begins within one begins with it.
func ParsePeriod(d legislation.Data) (period.Period, error) { return usual(parsePeriod(d)) }

// parsePeriodText is [ParsePeriod] for a text.
func parsePeriodText(text string) (period.Period, error) { return usual(periodOfText(text)) }

// usual is a period within bounds, as it is usually written.
func usual(p period.Period, err error) (period.Period, error) {
	switch {
	case err != nil || p.IsEternal():
		return p, err
	case p.Size < 1:
		return p, fmt.Errorf("the size of a period is a whole number from 1 on, got %d", p.Size)
	case p.Start.Before(firstDay) || lastDay.Before(p.Start):
		return p, fmt.Errorf("Value must be between %s and %s, got %s", firstDay, lastDay, p.Start)
	}
	return period.Parse(p.String())
}

// ParseInstant reads a day, or a period whose first day is meant.
func ParseInstant(text string) (period.Instant, error) {
	if day, err := period.ParseInstant(text); err == nil {
		return day, nil
	}
	p, err := periodOfText(text)
	if err != nil || p.IsEternal() {
		return period.Instant{}, fmt.Errorf("%q is neither a day nor a period: write 2014, 2014-06 or 2014-06-15", text)
	}
	return p.Start, nil
}

// ReadInstant is [ParseInstant] for a text that may also be JSON: a text in quotes, [2016, 1, 1], or a period as an object
// or as [unit, start, size].
func ReadInstant(text string) (period.Instant, error) {
	if !strings.ContainsAny(text[:min(1, len(text))], `"[{`) {
		return ParseInstant(text)
	}
	wrong := fmt.Errorf("%s is neither a day nor a period: write 2014, 2014-06-15, \"2014-06-15\", [2014, 6, 15] or {\"unit\": \"year\", \"start\": 2014}", text)
	doc, err := new(Workspace).ReadJSON([]byte(text), Bounds{Values: 16})
	if err != nil {
		return period.Instant{}, wrong
	}
	if quoted, ok := doc.Text(); ok {
		return ParseInstant(quoted)
	}
	if day, ok := dayOfParts(doc.List); ok {
		return ParseInstant(day)
	}
	p, err := parsePeriod(doc)
	if err != nil || p.IsEternal() {
		return period.Instant{}, wrong
	}
	return p.Start, nil
}

// dayOfParts is a day, a month or a year written as a list of one to three whole numbers.
func dayOfParts(parts []legislation.Data) (string, bool) {
	if len(parts) == 0 || len(parts) > 3 {
		return "", false
	}
	var day strings.Builder
	for i, d := range parts {
		n, ok := whole(d)
		if !ok {
			return "", false
		}
		fmt.Fprintf(&day, [3]string{"%04d", "-%02d", "-%02d"}[i], n)
	}
	return day.String(), true
}

func parsePeriod(d legislation.Data) (period.Period, error) {
	switch d.Kind {
	case legislation.Scalar:
		if d.Scalar.Type().String() == "bool" {
			return period.Period{}, errors.New("expected a period such as 2014 or \"2014-06\", got a boolean")
		}
		return periodOfText(pythonText(d))
	case legislation.Mapping:
		for key := range d.Map.All() {
			if key != "unit" && key != "start" && key != "size" {
				return period.Period{}, fmt.Errorf("unexpected item %q: a period has unit, start and size", key)
			}
		}
		unit, _ := d.Get("unit")
		start, _ := d.Get("start")
		size, ok := d.Get("size")
		return periodOfParts(unit, start, size, ok)
	case legislation.List:
		parts := [3]legislation.Data{}
		if len(d.List) < 2 || len(d.List) > 3 {
			return period.Period{}, errors.New("expected [unit, start] or [unit, start, size]")
		}
		copy(parts[:], d.List)
		return periodOfParts(parts[0], parts[1], parts[2], len(d.List) == 3)
	}
	return period.Period{}, errors.New("Missing value") //nolint:staticcheck // shown to callers as it is
}

func periodOfParts(unit, start, size legislation.Data, sized bool) (period.Period, error) {
	name, ok := unit.Text()
	if !ok {
		return period.Period{}, errors.New("unit: expected year, month or day")
	}
	text := name + ":" + startText(start)
	if sized {
		if size.Kind != legislation.Scalar {
			return period.Period{}, errors.New("size: expected a whole number")
		}
		text += ":" + size.Scalar.Format(0)
	}
	return periodOfText(text)
}

// startText is a start written as a number, a text or a list of numbers.
func startText(d legislation.Data) string {
	if d.Kind != legislation.List {
		return pythonText(d)
	}
	parts := make([]string, len(d.List))
	for i, e := range d.List {
		parts[i] = pythonText(e)
	}
	return strings.Join(parts, "-")
}

// periodOfText reads the old syntax, in which the unit may be left out or be finer than the start is written.
func periodOfText(text string) (period.Period, error) {
	if p, err := period.ParseLenient(text); err == nil {
		return p, nil
	}
	parts := strings.Split(text, ":")
	unit, named := period.ParseUnit(parts[0])
	if named {
		parts = parts[1:]
	}
	if len(parts) == 0 || len(parts) > 2 {
		return period.Period{}, notAPeriod(text)
	}
	whole, err := period.ParseLenient(parts[0])
	if err != nil {
		return period.Period{}, notAPeriod(text)
	}
	if !named {
		unit = whole.Unit
	}
	size := 1
	if len(parts) == 2 {
		if size, err = strconv.Atoi(parts[1]); err != nil || size < 1 || size > 10000 {
			return period.Period{}, fmt.Errorf("%q: the size of a period is a whole number from 1 on", text)
		}
	} else if unit.Weight() < whole.Unit.Weight() {
		if size, err = whole.SizeIn(unit); err != nil {
			return period.Period{}, notAPeriod(text)
		}
	}
	return period.Of(unit, whole.Start, size), nil
}

func notAPeriod(text string) error {
	return fmt.Errorf("%q is not a period: write 2014, 2014-06, 2014-06-15, 2014-06:3 (three months) or year:2014-06", text)
}
