package heap

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

// TestReserve finds what is allocated next where the system was advised to use large pages, and nothing used by then.
func TestReserve(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage/enabled"); err != nil {
		t.Skip("this system has no large pages:", err)
	}
	before := held()
	Reserve(64 << 20)
	if more := held() - before; more > 8<<20 {
		t.Errorf("%d MiB are used", more>>20)
	}
	var first, second runtime.MemStats
	runtime.ReadMemStats(&first)
	Reserve(64 << 20)
	if runtime.ReadMemStats(&second); second.TotalAlloc-first.TotalAlloc > 1<<20 {
		t.Errorf("the second time %d MiB were cleared", (second.TotalAlloc-first.TotalAlloc)>>20)
	}
	var kept [][]byte // what other tests left is used first
	for len(kept) < 1<<10 {
		one := make([]byte, 1<<20)
		if strings.Contains(flagsAt(t, uintptr(unsafe.Pointer(&one[0]))), " hg") {
			return
		}
		kept = append(kept, one)
	}
	t.Errorf("none of %d MiB lies where large pages are", len(kept))
}

// flagsAt is what the system says of the mapping that an address lies in.
func flagsAt(t *testing.T, at uintptr) string {
	t.Helper()
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	inside := false
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var from, to uintptr
		if n, _ := fmt.Sscanf(lines.Text(), "%x-%x ", &from, &to); n == 2 {
			inside = from <= at && at < to
		} else if flags, ok := strings.CutPrefix(lines.Text(), "VmFlags:"); ok && inside {
			return flags
		}
	}
	return ""
}
