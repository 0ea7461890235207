package heap

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// largePage is how much memory a large page has on most processors.
const largePage = 2 << 20

// Reserve has the system back the next bytes that the process takes for its heap with large pages, where it has some: what
// builds up hundreds of megabytes at once spends a tenth of its time on small ones. No memory is used for it by now.
func Reserve(bytes int64) {
	if bytes < 2*largePage {
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
