package population

import "math/bits"

//go:noescape
func serialsAVX2(groupOf, begins *int32, words *uint64, fours *four, n int, last int32) (rows, groups int)

//go:noescape
func rolesAVX2(out *int16, words *uint64, texts, places *[3]uint64, n int) (done int)

// four is four rows of which some begin a group: how many until each, and which.
type four struct{ groups, rows [4]int32 }

// fours are by the bits of rows that begin a group.
var fours = func() (all [16]four) {
	for mask := range all {
		for row := range 4 {
			n := bits.OnesCount(uint(mask) & (2<<row - 1))
			all[mask].groups[row] = int32(n)
			if mask>>row&1 > 0 {
				all[mask].rows[n-1] = int32(row)
			}
		}
	}
	return all
}()

// manySerials is serials for some of the rows, those before others, where this processor has a way of its own.
func manySerials(groupOf, begins []int32, words []uint64, last int32) (rows, groups int) {
	n := len(groupOf) &^ 3
	if !hasAVX2 || n == 0 {
		return 0, 0
	}
	_, _ = begins[n-1], words[n]
	return serialsAVX2(&groupOf[0], &begins[0], &words[0], &fours[0], n, last)
}

// manyRoles gives the places of roles, counted from 1, by texts, for the first of some rows, as far as they have one and this processor has a way of its own.
func manyRoles(out []int16, words []uint64, texts, places *[3]uint64) int {
	n := len(words) &^ 3
	if !hasAVX2 || n == 0 {
		return 0
	}
	_ = out[n-1]
	return rolesAVX2(&out[0], &words[0], texts, places, n)
}
