package program

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// What Linux tells of processes; elsewhere everything is 0 and the columns stay empty.

// tick is the unit of CPU time in /proc: a hundredth of a second on every Linux that Go runs on.
const tick = 10 * time.Millisecond

// CPU returns the CPU time that the server and its children have used so far.
func (s *Server) CPU() time.Duration { return CPU(s.PID()) }

// CPU returns the CPU time that a process and its children have used so far; process 0 is none, and has used nothing.
func CPU(pid int) (sum time.Duration) {
	if pid == 0 {
		return 0
	}
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is good
	number := strconv.Itoa(pid)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		// The fields follow the command's name, which is in parentheses: state, parent …, utime is the twelfth.
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		if len(fields) < 13 || filepath.Base(filepath.Dir(file)) != number && fields[1] != number {
			continue
		}
		user, _ := strconv.Atoi(fields[11])
		system, _ := strconv.Atoi(fields[12])
		sum += time.Duration(user+system) * tick
	}
	return sum
}

// PeakMemory returns how many bytes of memory the server held at most so far.
func (s *Server) PeakMemory() int64 {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(s.PID()) + "/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "\nVmHWM:")
	line, _, _ := strings.Cut(rest, "kB")
	size, _ := strconv.ParseInt(strings.TrimSpace(line), 10, 64)
	return size << 10
}
