package cores

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// lowered, in the environment, has the test lower its own process.
const lowered = "EDICT_CORES_LOWERED"

// TestLowerProcess: every thread of the process is less important afterwards, those that it had and those that come.
func TestLowerProcess(t *testing.T) {
	if os.Getenv(lowered) != "" {
		LowerProcess()
		started := make(chan struct{})
		go func() {
			runtime.LockOSThread() // for good: a thread of its own, which is made for it
			close(started)
			select {}
		}()
		<-started
		fmt.Println("niceness", nicenessOfThreads(t))
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run", "^TestLowerProcess$")
	cmd.Env = append(os.Environ(), lowered+"=1")
	out, err := cmd.Output()
	if err != nil || !strings.Contains(string(out), "niceness map[19:") || strings.Contains(string(out), " 0:") {
		t.Errorf("%v, %s", err, out)
	}
}

// nicenessOfThreads is how many threads of the process have which niceness.
func nicenessOfThreads(t *testing.T) map[int]int {
	tasks, err := filepath.Glob("/proc/self/task/*")
	if err != nil {
		t.Fatal(err)
	}
	found := map[int]int{}
	for _, task := range tasks {
		id, err := strconv.Atoi(filepath.Base(task))
		if err != nil {
			t.Fatal(err)
		}
		if n, err := unix.Getpriority(unix.PRIO_PROCESS, id); err == nil { // 20 less the niceness; a thread may be gone by now
			found[20-n]++
		}
	}
	return found
}
