package vector

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:noescape
func gather4(out, in unsafe.Pointer, index *int32, n, limit int) (done int)

//go:noescape
func gather1(out, in unsafe.Pointer, index *int32, n, limit int) (done int)

var hasGather = cpu.X86.HasAVX512F

// wideGather gathers the first elements many at a time, and returns how many it did: not those of which an index is out of range or, of bytes, among the last
// three. out is as long as index.
func wideGather[T Element](out, in []T, index []int32) int {
	n := len(index) &^ 15
	if n == 0 || len(in) == 0 {
		return 0
	}
	o, i := unsafe.Pointer(&out[0]), unsafe.Pointer(&in[0])
	switch unsafe.Sizeof(in[0]) {
	case 1:
		return gather1(o, i, &index[0], n, max(0, len(in)-3))
	case 4:
		return gather4(o, i, &index[0], n, len(in))
	}
	return 0
}
