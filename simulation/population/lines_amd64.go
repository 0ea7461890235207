package population

//go:noescape
func linesBMI2(out *byte, names *uint64, values *float32, before, behind *uint64, decimals *int, n int) (lines, bytes int)

// mostLine is how many bytes linesBMI2 may write of a line.
const mostLine = 40

// manyLines writes lines of a name and a float, of which some has the digits from k on, into room behind a text, where this processor has a way of its own. It
// stops at the first that is written otherwise, and returns how many there are.
func manyLines(out []byte, names []uint64, values []float32, some *shorts, k int) ([]byte, int) {
	n, end := len(values), len(out)
	if !hasAVX2 || n == 0 {
		return out, 0
	}
	_, _, _, room := names[n-1], some.before[k+n-1], some.behind[k+n-1], out[end:end+mostLine*n]
	lines, bytes := linesBMI2(&room[0], &names[0], &values[0], &some.before[k], &some.behind[k], &enoughDecimals[0], n)
	return out[:end+bytes], lines
}
