//go:build !amd64

package vector

// Processors without kernels of their own compute nothing many at a time.

func wide[T floating](_ Op, _, _, _ []T) int { return 0 }

func wideInts[T signed](_ Op, _, _, _ []T) int { return 0 }

func wideBools(_ Op, _, _, _ []uint8) int { return 0 }

func wideCompare[T number](_ Op, _ []bool, _, _ []T) int { return 0 }

func wideConvert[T, S Element](_ []T, _ []S) int { return 0 }

func wideRound[T floating](_ Op, _ []T) int { return 0 }

func wideChoose[T Element](_ []T, _ []bool, _, _ []T) int { return 0 }

func wideExtremes(days []int64) (first, last int64, n int) { return days[0], days[0], 0 }

func widePlaces(_ []int32, _ []int64, _, _ int64) int { return 0 }

func wideBegins(_ *Pool, _ []int32, _ int) []int32 { return nil }

func wideSums(_ []float64, _ []float32, _ []int32) int { return 0 }

const hasCounts = false

func wideCounts(_, _ []uint8, _ []int32) int { return 0 }

const hasGather = false

func wideGather[T Element](_, _ []T, _ []int32) int { return 0 }
