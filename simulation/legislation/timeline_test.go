package legislation

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"edict/simulation/period"
	"edict/simulation/vector"
)

// TestTimeline: changes that are made to a timeline give what as many updates of the parameter give.
func TestTimeline(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	day := func() period.Instant {
		return period.Instant{Year: int16(2000 + r.IntN(6)), Month: int8(1 + r.IntN(12)), Day: int8(1 + 9*r.IntN(3))}
	}
	for range 500 {
		p := &Parameter{}
		for i := range r.IntN(5) {
			p.Values = append(p.Values, DatedValue{Start: period.Instant{Year: int16(2006 - i*r.IntN(2) - i), Month: int8(r.IntN(2)), Day: 0}, Value: DataOf(vector.PyInt(int64(-i)))})
		}
		line := newTimeline(p.Values)
		for i := range 1 + r.IntN(20) {
			start, stop := day(), new(day())
			if r.IntN(3) == 0 {
				stop = nil
			} else if stop.Before(start) {
				start, *stop = *stop, start
			}
			value := DataOf(vector.PyInt(int64(i)))
			if err := p.Update(start, stop, value); err != nil {
				t.Fatal(err)
			}
			if err := line.set(start, stop, value); err != nil {
				t.Fatal(err)
			}
			if got, want := shownValues(line.newestFirst()), shownValues(p.Values); got != want {
				t.Fatalf("from %v to %v:\ngot  %s\nwant %s", start, stop, got, want)
			}
		}
	}
	end := lastOfAll
	if newTimeline(nil).set(end, &end, Data{}) == nil {
		t.Error("there is a day after the last")
	}
}

func shownValues(values []DatedValue) (text string) {
	for _, v := range values {
		text += v.StartText() + "="
		if v.Value.Kind == Scalar {
			text += v.Value.Scalar.Repr(0)
		}
		text += " "
	}
	return text
}

// TestManyChanges: as many values as a reform may have, ranges inside each other included, are nested rightly, and are weighed.
func TestManyChanges(t *testing.T) {
	base := reformSystem(t)
	first, last := period.Instant{Year: 2010, Month: 1, Day: 1}, period.Instant{Year: 2090, Month: 1, Day: 1}
	r := &Reform{}
	for i := range maxChanges {
		from, err := first.Offset(i, period.Day)
		if err != nil {
			t.Fatal(err)
		}
		until, err := last.Offset(-i, period.Day)
		if err != nil {
			t.Fatal(err)
		}
		r.Changes = append(r.Changes, Change{Path: "tax.rate", From: from, Until: &until, Value: DataOf(vector.PyInt(int64(i)))})
	}
	s, wrong := base.Derive(r)
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	for day, want := range map[string]string{"2010-01-01": "0", "2010-01-31": "30", "2089-12-31": "1", "2090-01-01": "0", "2090-01-02": "0.3"} {
		if got := valueOn(t, s, "tax.rate", day); got != want {
			t.Errorf("on %s: %s, want %s", day, got, want)
		}
	}
	if few, many := mustSet(t, base, "tax.rate=1").weight(), s.weight(); many < few+maxChanges*100 {
		t.Errorf("a system with %s values weighs %d, one with a value %d", fmt.Sprint(maxChanges), many, few)
	}
}

func mustSet(t *testing.T, s *System, sets ...string) *System {
	t.Helper()
	made, err := set(s, sets...)
	if err != nil {
		t.Fatal(err)
	}
	return made
}
