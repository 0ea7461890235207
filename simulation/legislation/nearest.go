package legislation

import "iter"

// Nearest gives the known name that is closest to a name nobody knows, or "" if none is close: one letter may differ, or
// a third of them.
func Nearest(name string, known iter.Seq[string]) string {
	letters := []rune(name)
	best, bound := "", max(1, len(letters)/3)
	for candidate := range known {
		if d := distance(letters, []rune(candidate), bound); d <= bound {
			best, bound = candidate, d-1
		}
	}
	return best
}

// distance counts the letters to insert, delete, replace or swap with their neighbour to turn a into b; it stops
// counting beyond bound.
func distance(a, b []rune, bound int) int {
	if len(a)-len(b) > bound || len(b)-len(a) > bound {
		return bound + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		smallest := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			smallest = min(smallest, row[j])
		}
		if smallest > bound {
			return bound + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
