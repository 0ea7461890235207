package vector

import "golang.org/x/sys/cpu"

//go:noescape
func runBegins(begins, index *int32, n, room int) (found int)

//go:noescape
func runSums(out *float64, in *float32, begins *int32, groups, limit int) (done int)

//go:noescape
func runCounts(out, in *uint8, begins *int32, groups, limit int) (done int)

var (
	hasRuns   = cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL
	hasCounts = hasRuns && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VBMI
)

// wideBegins tells where each of n groups begins, and where the last one ends, if persons of a group lie side by side and groups in their order, which is
// how most files have them. The storage is the pool's. It gives nil for any other groups, and without AVX-512. The index has 17 elements at least.
func wideBegins(p *Pool, index []int32, n int) []int32 {
	if !hasRuns {
		return nil
	}
	begins := lend[int32](p, n+1+16)
	begins[0] = 0
	many := (len(index) - 1) &^ 15
	found := runBegins(&begins[1], &index[0], many, n-1) + 1
	for i := many + 1; i < len(index) && 0 < found && found <= n; i++ {
		switch index[i] - index[i-1] {
		case 0:
		case 1:
			begins[found] = int32(i)
			found++
		default:
			found = 0
		}
	}
	if found != n {
		giveBack(p, begins)
		return nil
	}
	begins[n] = int32(len(index))
	return begins[:n+1]
}

// wideSums adds up the persons of some groups that lie side by side, and returns how many groups it did.
func wideSums(out []float64, in []float32, begins []int32) int {
	n := len(out) &^ 7
	if n == 0 {
		return 0
	}
	_ = begins[n]
	return runSums(&out[0], &in[0], &begins[0], n, len(in))
}

// wideCounts is wideSums for truths, of which no group has more than 64. It does none without instructions of its own.
func wideCounts(out, in []uint8, begins []int32) int {
	n := len(out) &^ 15
	if n == 0 || !hasCounts {
		return 0
	}
	_ = begins[n]
	return runCounts(&out[0], &in[0], &begins[0], n, len(in))
}
