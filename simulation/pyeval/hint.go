package pyeval

import "strings"

// hint suggests the nearest known name: " (did you mean 'x'?)", or "" when none is near.
func hint(name string, known []string) string {
	best, bestDist := "", len([]rune(name))/3+1
	for _, k := range known {
		if k == name || strings.HasPrefix(k, "__") {
			continue
		}
		if d := editDistance(name, k, bestDist); d < bestDist || d == bestDist && best == "" {
			best, bestDist = k, d
		}
	}
	if best == "" {
		return ""
	}
	return " (did you mean '" + best + "'?)"
}

// editDistance counts insertions, deletions, replacements and swaps; beyond limit it returns limit+1.
func editDistance(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) > limit || len(y)-len(x) > limit {
		return limit + 1
	}
	var before, prev []int
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(x); i++ {
		before, prev, row = prev, row, make([]int, len(y)+1)
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(y)]
}
