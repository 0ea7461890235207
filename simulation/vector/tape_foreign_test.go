package vector

import "testing"

// TestTapeTakesForeignColumnsAsConstants mixes columns of tapes: what another simulation computed and somebody kept.
func TestTapeTakesForeignColumnsAsConstants(t *testing.T) {
	for _, closed := range []bool{true, false} {
		other := NewTape(100)
		first := other.Input(Of([]float64{1, 2}))
		foreign, err := (*Rules)(nil).Binary(Add, first, PyInt(10)) // slot 1 there
		if err != nil {
			t.Fatal(err)
		}
		if closed {
			other.Close()
		}
		tape := NewTape(100)
		in := tape.Input(Of([]float64{3, 4}))
		sum, err := (*Rules)(nil).Binary(Add, in, foreign)
		if err != nil {
			t.Fatal(err)
		}
		swapped, err := (*Rules)(nil).Where(foreign, foreign, in)
		if err != nil {
			t.Fatal(err)
		}
		strip := tape.Cut()
		slots, ok := strip.Play(nil, []Column{Of([]float64{100, 200})})
		for _, c := range []struct{ got, want Column }{{sum, Of([]float64{111, 212})}, {swapped, Of([]float64{11.0, 12.0})}} {
			slot, traced := tape.Slot(c.got)
			if !ok || !traced || !slots[slot].Same(c.want) {
				t.Errorf("closed %v: played %v, slots %v, want %v at %d", closed, ok, slots, c.want, slot)
			}
		}
	}
}

// TestTapeInputOfAnotherTape makes what one tape recorded an input of another.
func TestTapeInputOfAnotherTape(t *testing.T) {
	other := NewTape(100)
	foreign := other.Input(Of([]float64{1, 2}))
	tape := NewTape(100)
	in := tape.Input(foreign)
	next := tape.Input(Of([]float64{5, 6}))
	sum, err := (*Rules)(nil).Binary(Add, in, next)
	if err != nil {
		t.Fatal(err)
	}
	strip := tape.Cut()
	slots, ok := strip.Play(nil, []Column{Of([]float64{10, 20}), Of([]float64{1, 1})})
	slot, traced := tape.Slot(sum)
	if !ok || !traced || !slots[slot].Same(Of([]float64{11, 21})) {
		t.Errorf("played %v, slots %v; slot %d of %v", ok, slots, slot, sum)
	}
	if s := other.Cut(); s.Len() != 0 {
		t.Errorf("the other tape has %d steps", s.Len())
	}
}

// TestTapeKeysOfGroups aggregates over nobody into different numbers of groups.
func TestTapeKeysOfGroups(t *testing.T) {
	tape := NewTape(100)
	in := tape.Input(Const(0, 1.0))
	one := GroupSum(in, []int32{}, 1, nil)
	three := GroupSum(in, []int32{}, 3, nil)
	if one.Len() != 1 || three.Len() != 3 {
		t.Errorf("sums of %d and %d groups, want 1 and 3", one.Len(), three.Len())
	}
}

// TestTapeKeysOfIndexes uses an index that its owner has changed.
func TestTapeKeysOfIndexes(t *testing.T) {
	tape := NewTape(100)
	in := tape.Input(Of([]float64{1, 2, 3}))
	index := []int32{0, 1}
	before := in.Gather(index)
	sums := GroupSum(in, []int32{0, 0, 1}, 2, nil)
	index[0] = 2
	after := in.Gather(index)
	if got := after.Plain(); !got.Same(Of([]float64{3, 2})) {
		t.Errorf("after the index changed it is %v", got)
	}
	strip := tape.Cut()
	slots, ok := strip.Play(nil, []Column{Of([]float64{10, 20, 30})})
	if !ok {
		t.Fatal("it does not play")
	}
	for _, c := range []struct{ got, want Column }{{before, Of([]float64{10, 20})}, {after, Of([]float64{30, 20})}, {sums, Of([]float64{30, 30})}} {
		if slot, _ := tape.Slot(c.got); !slots[slot].Same(c.want) {
			t.Errorf("slot %d is %v, want %v", slot, slots[slot], c.want)
		}
	}
}
