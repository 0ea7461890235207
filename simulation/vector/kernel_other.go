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
