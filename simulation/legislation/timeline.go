package legislation

import (
	"slices"
	"sort"

	"edict/simulation/period"
)

// timeline is the values of a parameter while changes are made to it, of which there may be thousands: what moves when one
// is put between others is small.
type timeline struct {
	values []DatedValue // in no order
	since  []beginning  // by day
}

// beginning is the day from which on a value holds.
type beginning struct {
	day period.Instant
	of  int32 // place in values
}

func newTimeline(newestFirst []DatedValue) *timeline {
	t := &timeline{values: slices.Clone(newestFirst)}
	for i, v := range slices.Backward(newestFirst) {
		t.since = append(t.since, beginning{v.Start, int32(i)})
	}
	return t
}

// set does what [Parameter.Update] does, for a stop that is not before the start.
func (t *timeline) set(start period.Instant, stop *period.Instant, value Data) error {
	from, to := t.at(start), len(t.since)
	changed := []beginning{t.begin(start, value)}
	if stop != nil {
		after, err := stop.Offset(1, period.Day)
		if err != nil {
			return err
		}
		if to = t.at(after); to == len(t.since) || t.since[to].day != after {
			var resumed Data
			if to > 0 {
				resumed = t.values[t.since[to-1].of].Value
			}
			changed = append(changed, t.begin(after, resumed))
		}
	}
	t.since = slices.Replace(t.since, from, to, changed...)
	return nil
}

// at is the place of the first beginning that is not before a day.
func (t *timeline) at(day period.Instant) int {
	return sort.Search(len(t.since), func(i int) bool { return !t.since[i].day.Before(day) })
}

func (t *timeline) begin(day period.Instant, value Data) beginning {
	t.values = append(t.values, DatedValue{Start: day, Value: value})
	return beginning{day, int32(len(t.values) - 1)}
}

// newestFirst is the values as a parameter has them.
func (t *timeline) newestFirst() []DatedValue {
	out := make([]DatedValue, len(t.since))
	for i, b := range t.since {
		out[len(out)-1-i] = t.values[b.of]
	}
	return out
}
