package watch

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"edict/platform/nearest"
)

// locales are the languages that messages are written in; the first is required and what is fallen back on.
var locales = []string{"en", "fr"}

// maxText is how many characters the text of a message may have.
const maxText = 4000

// The fields of a text.
var fieldNames = []string{"after", "before", "date", "difference", "label", "link"}

// part is a piece of a text: as it is, or a field.
type part struct{ text, field string }

// parseText splits a text at its fields; a field that there is not is said with the one that may be meant.
func parseText(text string) ([]part, error) {
	var parts []part
	for text != "" {
		before, rest, open := strings.Cut(text, "{")
		if before != "" {
			parts = append(parts, part{text: before})
		}
		if !open {
			break
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed {
			return nil, errors.New("there is a { without its }: fields are written {before}")
		}
		if !slices.Contains(fieldNames, name) {
			return nil, unknownField(name)
		}
		parts = append(parts, part{field: name})
		text = after
	}
	return parts, nil
}

func unknownField(name string) error {
	known := "there are {" + strings.Join(fieldNames, "}, {") + "}"
	if near := nearest.Name(name, slices.Values(fieldNames)); near != "" {
		known = "did you mean {" + near + "}?"
	}
	return fmt.Errorf("there is no field {%.40s}: %s", name, known)
}

// checkTexts finds what is wrong with the texts of a run.
func checkTexts(texts map[string]string, link string, wrong *problems) {
	if texts["en"] == "" {
		wrong.add("Missing value: the text in English is what is fallen back on", "message", "en")
	}
	for _, locale := range slices.Sorted(maps.Keys(texts)) {
		text := texts[locale]
		if !slices.Contains(locales, locale) {
			wrong.add("there are texts in en and fr", "message", locale)
			continue
		}
		parts, err := parseText(text)
		switch {
		case err != nil:
			wrong.add(err.Error(), "message", locale)
		case utf8.RuneCountInString(text) > maxText:
			wrong.add(fmt.Sprintf("a text has at most %d characters", maxText), "message", locale)
		case link == "" && slices.Contains(parts, part{field: "link"}):
			wrong.add("the text has {link}, and the run has no link: give one", "message", locale)
		}
	}
}

// fill puts fields into a text that was checked.
func fill(text string, fields map[string]string) string {
	parts, _ := parseText(text) // checked before the run
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.text + fields[p.field])
	}
	return b.String()
}

// textIn is the text of a locale, or the one in English.
func textIn(texts map[string]string, locale string) (text, in string) {
	if text := texts[locale]; text != "" {
		return text, locale
	}
	return texts["en"], "en"
}

// writeNumber writes a number as people of a locale do: two digits behind the point, more for what is smaller than one.
func writeNumber(n float64, locale string) string {
	digits := 2
	if a := math.Abs(n); a > 0 && a < 1 {
		digits = min(2+int(-math.Floor(math.Log10(a))), 8)
	}
	text := strconv.FormatFloat(math.Abs(n), 'f', digits, 64)
	whole, fraction, _ := strings.Cut(text, ".")
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		fraction = (fraction + "0")[:max(len(fraction), 2)]
	}
	group, point := ",", "."
	if locale == "fr" {
		group, point = "\u202f", "," // a narrow space that does not break
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + group + whole[i:]
	}
	if fraction != "" {
		whole += point + fraction
	}
	if n < 0 && strings.Trim(whole, "0.,") != "" {
		whole = "\u2212" + whole
	}
	return whole
}

// writeChange is writeNumber with its sign.
func writeChange(n float64, locale string) string {
	text := writeNumber(n, locale)
	if n > 0 {
		text = "+" + text
	}
	return text
}

var frenchMonths = []string{"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"}

// writeDay writes a day.
func writeDay(day time.Time, locale string) string {
	if locale != "fr" {
		return day.Format("2 January 2006")
	}
	number := strconv.Itoa(day.Day())
	if day.Day() == 1 {
		number = "1er"
	}
	return fmt.Sprintf("%s %s %d", number, frenchMonths[day.Month()-1], day.Year())
}

// fieldsOf are the fields of a text for one change.
func fieldsOf(f Figure, before, after float64, day time.Time, link, locale string) map[string]string {
	label := f.Label
	if label == "" {
		label = f.Variable
	}
	return map[string]string{
		"before": writeNumber(before, locale), "after": writeNumber(after, locale), "difference": writeChange(after-before, locale),
		"label": label, "date": writeDay(day, locale), "link": link,
	}
}

// examples are the texts of a run with amounts that nobody has.
func (r *RunSpec) examples() map[string]string {
	invented := Figure{Variable: "example", Label: "Example"}
	out := map[string]string{}
	for locale, text := range r.Message {
		out[locale] = fill(text, fieldsOf(invented, 1234.5, 1300, r.day(""), r.Link, locale))
	}
	return out
}

// day is when the change takes effect: what the run says, else the first day that its reforms name, else the start of the period.
func (r *RunSpec) day(watchPeriod string) time.Time {
	for _, text := range []string{r.Date, firstDay(r.New.Parameters), firstDay(r.New.Reforms), r.Period, watchPeriod} {
		if day, ok := dayOf(text); ok {
			return day
		}
	}
	return r.Created
}

// dayOf is the first day of a period or of a range of days as reforms write it.
func dayOf(text string) (time.Time, bool) {
	if _, after, unit := strings.Cut(text, ":"); unit {
		text, _, _ = strings.Cut(after, ":")
	}
	text, _, _ = strings.Cut(text, ".")
	for _, layout := range []string{time.DateOnly, "2006-01", "2006"} {
		if day, err := time.Parse(layout, text); err == nil {
			return day, true
		}
	}
	return time.Time{}, false
}

// firstDay is the earliest day that reforms written as data have values from, "" for none.
func firstDay(reforms json.RawMessage) string {
	var value any
	if json.Unmarshal(reforms, &value) != nil {
		return ""
	}
	var first time.Time
	var look func(value any)
	look = func(value any) {
		switch value := value.(type) {
		case []any:
			for _, item := range value {
				look(item)
			}
		case map[string]any:
			for key, item := range value {
				if day, ok := dayOf(key); ok && (first.IsZero() || day.Before(first)) {
					first = day
				}
				look(item)
			}
		}
	}
	look(value)
	if first.IsZero() {
		return ""
	}
	return first.Format(time.DateOnly)
}
