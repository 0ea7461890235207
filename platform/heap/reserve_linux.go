package heap

import (
	"runtime"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// largePage is how much memory a large page has on most processors.
const largePage = 2 << 20

var reserved atomic.Bool

// Reserve has the system back the next bytes that the process takes for its heap with large pages, where it has some: what
// builds up hundreds of megabytes at once spends a tenth of its time on small ones. No memory is used for it by now. A process does it once: the
// advice stays, and what was in use by then would have to be cleared.
func Reserve(bytes int64) {
	if bytes < 2*largePage || reserved.Swap(true) {
		return
	}
	// What is mapped for one large object, and never written to, is given to others once that is collected; the advice stays.
	object := make([]byte, bytes)
	at := uintptr(unsafe.Pointer(unsafe.SliceData(object)))
	skip := -at & (largePage - 1)
	_ = unix.Madvise(object[skip:], unix.MADV_HUGEPAGE) // it is an advice
	runtime.KeepAlive(object)
	runtime.GC()
}
