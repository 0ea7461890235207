package vector

import (
	"sync"
	"testing"
)

// TestTapeTakesForeignColumnsAsConstants mixes columns with those of a tape that has ended: what another simulation
// computed and somebody kept.
func TestTapeTakesForeignColumnsAsConstants(t *testing.T) {
	other := NewTape(100)
	foreign := must(t)((*Rules)(nil).Binary(Add, other.Input(Of([]float64{1, 2})), PyInt(10))) // slot 1 there
	other.Close()
	tape := NewTape(100)
	in := tape.Input(Of([]float64{3, 4}))
	sum := must(t)((*Rules)(nil).Binary(Add, in, foreign))
	chosen := must(t)((*Rules)(nil).Where(foreign, foreign, in))
	strip := tape.Cut()
	slots, ok := strip.Play(nil, []Column{Of([]float64{100, 200})})
	for _, c := range []struct{ got, want Column }{{sum, Of([]float64{111, 212})}, {chosen, Of([]float64{11, 12})}} {
		slot, taped := tape.Slot(c.got)
		if !ok || !taped || !slots[slot].Same(c.want) {
			t.Errorf("played %v, slots %v, want %v at %d", ok, slots, c.want, slot)
		}
	}
}

func must(t *testing.T) func(Column, error) Column {
	return func(c Column, err error) Column {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
}

// TestTapesDoNotMix computes with columns of two tapes that are both recorded: neither can tell what comes of them.
func TestTapesDoNotMix(t *testing.T) {
	a, b := NewTape(100), NewTape(100)
	sum := must(t)((*Rules)(nil).Binary(Add, a.Input(Of([]float64{1, 2})), b.Input(Of([]float64{3, 4}))))
	if !a.Full() || !b.Full() || !sum.Plain().Same(Of([]float64{4, 6})) {
		t.Errorf("full: %v and %v; the sum is %v", a.Full(), b.Full(), sum)
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
	slot, taped := tape.Slot(sum)
	if !ok || !taped || !slots[slot].Same(Of([]float64{11, 21})) {
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

// TestTapesThatHaveEndedAreShared uses columns of a tape that has ended, and ones whose content is promised, in several
// goroutines: whoever kept them may hand them to other simulations.
func TestTapesThatHaveEndedAreShared(t *testing.T) {
	tape := NewTape(100)
	promised := tape.Input(Of([]float64{1, 2, 3}))
	promised.Looked()
	ended := NewTape(100)
	old := ended.Input(Of([]float64{1, 2, 3}))
	ended.Close()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 50 {
				for _, c := range []Column{promised, old} {
					c.Gather([]int32{int32(i % 3), 1})
					GroupSum(c, []int32{0, int32(i % 2), 1}, 2, []bool{true, i%2 == 0, true})
					_, _ = (*Rules)(nil).Binary(Add, c, c)
					_, _ = (*Rules)(nil).Any(c)
					_ = c.String()
					_, _ = c.At(i % 3)
					_, _ = c.Spread(3)
					_ = c.As(Array)
				}
			}
		})
	}
	wg.Wait()
}

// TestTapeHoldsForOneDomainAndWidth plays on enumerations of another domain, and where texts come out wider: whoever
// recorded may have gone by either without looking at elements.
func TestTapeHoldsForOneDomainAndWidth(t *testing.T) {
	tape := NewTape(100)
	in := tape.Input(EnumConst(2, tapeDomains[0], 1))
	in.Range(0, 1)
	strip := tape.Cut()
	for i, d := range tapeDomains {
		if _, ok := strip.Play(nil, []Column{EnumConst(2, d, 0)}); ok != (i == 0) {
			t.Errorf("on an enumeration of domain %s it plays: %v", d.Name, ok)
		}
	}
	rules := &Rules{Objects: plainMath{}}
	tape = NewTape(100)
	cond := tape.Input(Of([]bool{true, true}))
	objects := must(t)(rules.Where(cond, PyObject(int64(7)), PyObject(int64(700))))
	texts := must(t)(rules.Cast(objects, DType{Type: Str}))
	strip = tape.Cut()
	for _, first := range []bool{true, false} {
		slots, ok := strip.Play(rules, []Column{Of([]bool{first, true})})
		if ok != first {
			t.Errorf("where texts are %v, not %v, it plays: %v", slots[len(slots)-1].DType(), texts.DType(), ok)
		}
	}
}
