package legislation

import (
	"fmt"
	"testing"

	"edict/simulation/period"
	"edict/simulation/vector"
)

// TestIndexingRecorded indexes with keys that are taped, some of them or all, and plays what was recorded on all other
// keys: it gives what indexing with those gives, or cannot be played where they lead nowhere.
func TestIndexingRecorded(t *testing.T) {
	view, _ := testTree(t).On(period.Instant{Year: 2015, Month: 1, Day: 1})
	zone := NewEnum("Zone", []string{"z1", "z2"}, []string{"one", "two"}, nil)
	housing := NewEnum("Housing", []string{"owner", "tenant"}, []string{"o", "t"}, nil)
	zones := func(codes ...int16) vector.Column { return vector.Enums(zone.Domain, codes) }
	homes := func(codes ...int16) vector.Column { return vector.Enums(housing.Domain, codes) }
	for _, c := range []struct {
		node   string
		static int     // which of the keys is not taped, -1 for none
		ways   [][]any // to index; the first is recorded
	}{
		{"taxes.housing.zones", -1, [][]any{{zones(1, 0, 1), homes(0, 1, 1), "two"}, {zones(0, 0, 0), homes(1, 1, 1), "two"}, {zones(0, 1, 1), homes(0, 0, 1), "two"}, {zones(0, 5, 1), homes(0, 0, 1), "two"}}},
		{"taxes.housing.zones", 0, [][]any{{zones(1, 0), homes(0, 1), "one"}, {zones(1, 0), homes(1, 0), "one"}, {zones(1, 0), homes(7, 0), "one"}}},
		{"taxes.housing.zones", 1, [][]any{{zones(1, 0), homes(0, 1), "one"}, {zones(0, 0), homes(0, 1), "one"}}},
		{"taxes.housing.zones", -1, [][]any{{zones(1), "owner", "one"}, {zones(0), "owner", "one"}}},
		{"benefits.per_child", -1, [][]any{{vector.Of([]int64{1, 2})}, {vector.Of([]int64{2, 2})}, {vector.Of([]int64{1, 3})}, {vector.Of([]int64{1, 7})}}},
	} {
		tape := vector.NewTape(100)
		taped := func(way []any) []any {
			out := make([]any, len(way))
			for i, key := range way {
				out[i] = key
				if column, ok := key.(vector.Column); ok && i != c.static {
					out[i] = tape.Input(column)
				}
			}
			return out
		}
		got, err := walkKeys(view, c.node, taped(c.ways[0]))
		if err != nil {
			t.Fatal(err)
		}
		slot, ok := tape.Slot(got)
		if !ok {
			t.Fatalf("%s: the result is not recorded", c.node)
		}
		strip := tape.Cut()
		for _, way := range c.ways {
			t.Run(fmt.Sprint(c.node, way), func(t *testing.T) {
				var slots []vector.Column
				for i, key := range way {
					if column, ok := key.(vector.Column); ok && i != c.static {
						slots = append(slots, column)
					}
				}
				want, err := walkKeys(view, c.node, way)
				slots, ok := strip.Play(nil, slots)
				switch {
				case err != nil && ok:
					t.Errorf("played, though it is an error: %v", err)
				case err == nil && !ok && want.Type() == got.Type():
					t.Error("not played")
				case ok && !slots[slot].Same(want):
					t.Errorf("played %v, want %v", slots[slot], want)
				}
			})
		}
	}
}

// TestIndexingLooks: where keys lead nowhere the error depends on them, and so does everything that comes of it.
func TestIndexingLooks(t *testing.T) {
	view, _ := testTree(t).On(period.Instant{Year: 2015, Month: 1, Day: 1})
	tape := vector.NewTape(100)
	nowhere, here := vector.Strs([]string{"z9", "z1"}), vector.Strs([]string{"z1", "z1"})
	if _, err := walkKeys(view, "taxes.housing.zones", []any{tape.Input(nowhere), "owner", "one"}); err == nil {
		t.Fatal("no error")
	}
	strip := tape.Cut()
	if _, ok := strip.Play(nil, []vector.Column{here}); ok {
		t.Error("an error of some keys is played for others")
	}
	if _, ok := strip.Play(nil, []vector.Column{nowhere}); !ok {
		t.Error("an error is not played for the same keys")
	}
}
