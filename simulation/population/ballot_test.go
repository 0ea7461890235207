package population

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestPoll plays random decisions: what chunks answer for themselves depends on their rows and on the way so far. The
// answers that settle must be those of the whole population.
func TestPoll(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		chunks := rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(0, 9), 1, 4), 1, 6).Draw(rt, "rows")
		rules := rapid.SliceOfN(rapid.IntRange(0, 9), 1, 6).Draw(rt, "rules")
		// Every decision moves the threshold of the next one, and some decisions are only met on one way.
		walk := func(rows []int, agree func(all, mine bool) bool) (way []bool) {
			threshold := 5
			for i, rule := range rules {
				all := rule%2 == 0
				is := func(r int) bool { return r+i > threshold }
				answer := agree(all, all && !slices.ContainsFunc(rows, func(r int) bool { return !is(r) }) || !all && slices.ContainsFunc(rows, is))
				way = append(way, answer)
				if answer {
					threshold += rule % 3
				} else if threshold--; rule > 6 {
					break
				}
			}
			return way
		}
		want := walk(slices.Concat(chunks...), func(_, mine bool) bool { return mine })
		var known []bool
		for range 50 {
			p := poll{}
			for _, rows := range chunks {
				b := &ballot{known: known}
				walk(rows, b.Agree)
				p.count(b)
			}
			answers, settled := p.result()
			if settled {
				if !slices.Equal(answers, want) {
					rt.Fatalf("settled on %v, the whole says %v", answers, want)
				}
				return
			}
			known = answers
		}
		rt.Fatal("does not settle")
	})
}
