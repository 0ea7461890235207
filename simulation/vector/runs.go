package vector

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// Most files have the persons of a group side by side, and groups one after the other. Such runs are added up many groups at a time: the first persons of
// them all, then the second ones, so that every group has its sum in the order of persons.

// runs tells where each group of an index begins, and where the last one ends; begins is nil if they do not lie so.
type runs struct {
	index, begins []int32
	n             int
}

// runsOf gives the begins of n groups, nil if they do not lie side by side. Those of storage that the pool does not lend, which stays as it is while the pool
// does, are found once.
func runsOf(p *Pool, index []int32, n int) []int32 {
	const least = 64 // persons
	if len(index) < least || n == 0 || index[0] != 0 || int(index[len(index)-1]) != n-1 {
		return nil
	}
	if p == nil {
		return wideBegins(nil, index, n)
	}
	for i := range p.runs {
		if k := &p.runs[i]; &k.index[0] == &index[0] && len(k.index) == len(index) && k.n == n {
			return k.begins
		}
	}
	begins := wideBegins(p, index, n)
	if !p.lent(unsafe.Pointer(&index[0])) {
		p.runs = append(p.runs, runs{index, begins, n})
	}
	return begins
}

// sumRuns adds up persons of groups that lie side by side: many groups at a time, and one by one those that are too large for that or last.
func sumRuns(out []float64, in []float32, begins []int32) {
	for g := 0; g < len(out); {
		g += wideSums(out[g:], in, begins[g:])
		for end := min(g+8, len(out)); g < end; g++ {
			for _, v := range in[begins[g]:begins[g+1]] {
				out[g] += float64(v)
			}
		}
	}
}

// countRuns counts for each group who counts and of whom something is true, if persons of a group lie side by side. It reports whether it did: not if a
// group is large, and not on a processor that counts one person at a time.
func countRuns(p *Pool, counts, truths, who []uint8, index []int32) bool {
	if !hasCounts {
		return false
	}
	begins := runsOf(p, index, len(counts))
	if begins == nil {
		return false
	}
	if &truths[0] != &who[0] {
		both := lend[bool](p, len(truths))
		defer giveBack(p, both)
		done := wideBools(LogicalAnd, bytesOf(both), truths, who)
		for i := done; i < len(both); i++ {
			bytesOf(both)[i] = truths[i] & who[i]
		}
		truths = bytesOf(both)
	}
	for g := 0; g < len(counts); {
		g += wideCounts(counts[g:], truths, begins[g:])
		for end := min(g+16, len(counts)); g < end; g++ {
			of := truths[begins[g]:begins[g+1]]
			if len(of) > math.MaxInt8 {
				return false
			}
			counts[g] = 0
			for _, one := range of {
				counts[g] += one
			}
		}
	}
	return true
}

// truthsOf makes 1 of every count that is not 0.
func truthsOf(counts []uint8) {
	const most, one = math.MaxInt8 * 0x0101010101010101, 0x0101010101010101
	for ; len(counts) >= 8; counts = counts[8:] {
		eight := binary.LittleEndian.Uint64(counts)
		binary.LittleEndian.PutUint64(counts, (eight+most)>>7&one)
	}
	for i, k := range counts {
		counts[i] = (k + math.MaxInt8) >> 7
	}
}
