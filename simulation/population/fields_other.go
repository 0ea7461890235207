//go:build !amd64

package population

// There are no ways of their own for other processors.

func (b *csvBatch) fieldWords([]uint64, int, int, uint64) int { return 0 }

func (b *csvBatch) fieldDates([]uint64, int, int) int { return 0 }

func shortNumbers([]float32, []uint64) int { return 0 }

func shortDays([]int64, []uint64) int { return 0 }

func manySerials(_, _ []int32, _ []uint64, _ int32) (rows, groups int) { return 0, 0 }

func manyShort(_, _ []uint64, _ []float32) int { return 0 }

func manyRoles([]int16, []uint64, *[3]uint64, *[3]uint64) int { return 0 }

// mostLine is nothing where there is no way to write lines.
const mostLine = 0

func manyLines(out []byte, _ []uint64, _ []float32, _ *shorts, _ int) ([]byte, int) {
	return out, 0
}
