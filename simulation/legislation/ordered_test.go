package legislation

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestOrderedOf makes maps of lists at once and one by one.
func TestOrderedOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.StringMatching(`[a-z][a-c]?`), 0, 40).Draw(t, "keys")
		values, want := make([]int, len(keys)), NewOrdered[int]()
		for i, key := range keys {
			values[i] = i
			want.Set(key, i)
		}
		got := OrderedOf(slices.Clone(keys), values)
		got.Set("z", -1)
		want.Set("z", -1)
		if !slices.Equal(got.Keys(), want.Keys()) {
			t.Fatalf("the keys are %v, want %v", got.Keys(), want.Keys())
		}
		for i, key := range want.Keys() {
			a, _ := got.Get(key)
			if b, _ := want.Get(key); a != b || *got.Ref(i) != b {
				t.Fatalf("%s is %d, want %d", key, a, b)
			}
		}
	})
}

// TestOrdered does random things to an Ordered and to a plain list of pairs.
func TestOrdered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := NewOrdered[int]()
		var keys []string
		values := make(map[string]int)
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			key := rapid.StringMatching(`[a-p]`).Draw(t, "key")
			if rapid.IntRange(0, 3).Draw(t, "what") == 0 {
				_, known := values[key]
				if o.Delete(key) != known {
					t.Fatalf("Delete(%s) is wrong", key)
				}
				delete(values, key)
				keys = slices.DeleteFunc(keys, func(k string) bool { return k == key })
				continue
			}
			n := rapid.Int().Draw(t, "value")
			o.Set(key, n)
			if _, known := values[key]; !known {
				keys = append(keys, key)
			}
			values[key] = n
		}
		if !slices.Equal(o.Keys(), keys) || o.Len() != len(keys) {
			t.Fatalf("the keys are %v, want %v", o.Keys(), keys)
		}
		for k, v := range o.All() {
			if got, ok := o.Get(k); !ok || got != v || v != values[k] {
				t.Fatalf("%s is %d, want %d", k, v, values[k])
			}
		}
	})
}
