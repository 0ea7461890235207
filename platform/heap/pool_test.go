package heap

import "testing"

type lent struct {
	name  string
	list  []string
	inner struct{ counts []int }
	found map[string]int
	other *lent
}

// TestPool: what was given back is lent again, or spoiled in a build that does that: names, lists up to their capacity, maps.
func TestPool(t *testing.T) {
	pool := Pool[lent]{New: func() *lent { return &lent{list: make([]string, 0, 4)} }}
	x := pool.Get()
	if cap(x.list) != 4 {
		t.Fatal("New was not asked")
	}
	other := &lent{name: "of somebody else"}
	x.name, x.list, x.other, x.found = "x", append(x.list, "a", "b"), other, map[string]int{"a": 1}
	x.inner.counts = []int{1, 2}
	list, counts, found := x.list, x.inner.counts, x.found
	x.list = x.list[:0] // as whoever gives it back empties it
	pool.Put(x)
	if other.name != "of somebody else" {
		t.Error("what is only pointed at was spoiled")
	}
	if spoiled := x.name != "x" && list[0] != "a" && counts[1] != 2 && len(found) == 0 && x.other == nil; spoiled != Poisoned {
		t.Errorf("after it was given back: %+v, %q, %v, %v", x, list, counts, found)
	}
	if again := pool.Get(); Poisoned && again == x {
		t.Error("what was spoiled is lent again")
	}
}
