package cli

import "strings"

// nearest returns the known setting that a mistyped one most likely means, "" when none is near. A known name is
// near when it, or its last part alone, differs in at most a third of its letters: "listen" means server.listen.
func nearest(name string, known []string) string {
	best, bestDistance := "", 1<<30
	for _, candidate := range known {
		whole := distance(name, candidate)
		if whole*3 <= len(candidate) && whole < bestDistance {
			best, bestDistance = candidate, whole
		}
		tail := distance(last(name), last(candidate))
		if tail*3 <= len(last(candidate)) && tail+1 < bestDistance {
			best, bestDistance = candidate, tail+1
		}
	}
	return best
}

func last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// distance is the number of letters to add, drop, change or swap with their neighbour to get from a to b.
func distance(a, b string) int {
	before, row := []int(nil), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
