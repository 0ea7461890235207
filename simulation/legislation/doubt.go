package legislation

import (
	"fmt"
	"slices"
	"strings"

	"edict/simulation/period"
	"edict/simulation/vector"
)

// Doubts returns what is probably not meant in reforms of s that made another system: a rate that no rate has been, and values of brackets that are not
// in use. during is the period that is computed; nil means every day of a change.
func (s *System) Doubts(made *System, during *period.Period, reforms ...*Reform) (doubts []string) {
	for _, r := range reforms {
		for i := range r.Changes {
			if text := s.doubt(made, during, &r.Changes[i]); text != "" && !slices.Contains(doubts, text) {
				doubts = append(doubts, text)
			}
		}
	}
	return doubts
}

func (s *System) doubt(made *System, during *period.Period, c *Change) string {
	at, err := s.Parameters().Root.locate(c.Path)
	if err != nil {
		return ""
	}
	if text := at.parameter.oddRate(c); text != "" {
		return text
	}
	at, err = made.Parameters().Root.locate(c.Path)
	if err != nil || len(at.way) < 3 {
		return ""
	}
	bracket, ok := at.way[len(at.way)-2].(*ParameterNode)
	if _, isScale := at.way[len(at.way)-3].(*ParameterScale); !ok || !isScale || strings.HasSuffix(c.Path, ".threshold") {
		return ""
	}
	item, _ := bracket.Children.Get("threshold")
	threshold, ok := item.(*Parameter)
	if !ok || threshold.within(c, during) {
		return ""
	}
	when := c.day
	if during != nil {
		when = during.String()
	}
	return fmt.Sprintf("%s: the bracket has no threshold in %s, so the value has no effect", c.Path, when)
}

// oddRate says that a number is not between 0 and 1, as all that the parameter has been are; "" where nothing is odd.
func (p *Parameter) oddRate(c *Change) string {
	number := func(d Data) (float64, bool) {
		if d.Kind != Scalar || !d.Scalar.Type().Number() || d.Scalar.Type() == vector.Bool {
			return 0, false
		}
		return d.Scalar.Float(0), true
	}
	value, ok := number(c.Value)
	if !ok || value >= 0 && value <= 1 {
		return ""
	}
	least, most, parts := 1.0, 0.0, false
	for i := range p.Values {
		was, ok := number(p.Values[i].Value)
		if !ok {
			continue
		}
		if was < 0 || was > 1 {
			return ""
		}
		least, most, parts = min(least, was), max(most, was), parts || was > 0 && was < 1
	}
	if !parts {
		return ""
	}
	return fmt.Sprintf("%s: %v is far from what the parameter has been, %v to %v; 14 %% is written 0.14", c.Path, value, least, most)
}

// within reports whether a parameter has a value on some day on which a change is in force, and during a period if it is not nil.
func (p *Parameter) within(c *Change, during *period.Period) bool {
	from, until := c.From, lastOfAll
	if c.Until != nil {
		until = *c.Until
	}
	if during != nil && !during.IsEternal() {
		if from.Before(during.Start) {
			from = during.Start
		}
		if last, err := during.Stop(); err == nil && last.Before(until) {
			until = last
		}
	}
	if p.ValueAt(from).Kind != Null {
		return true
	}
	return slices.ContainsFunc(p.Values, func(v DatedValue) bool {
		return v.Value.Kind != Null && !v.Start.Before(from) && !until.Before(v.Start)
	})
}
