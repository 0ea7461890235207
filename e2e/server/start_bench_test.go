package server_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"edict/e2e"
)

// BenchmarkStart measures the built binary from exec to the line on standard output, on a data directory that is
// empty and on one that is not, and what it then holds in memory.
func BenchmarkStart(b *testing.B) {
	info, err := os.Stat(e2e.Binary(b))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("empty", func(b *testing.B) {
		for b.Loop() {
			p := e2e.StartBinary(b)
			b.StopTimer()
			p.End(b)
			b.StartTimer()
		}
		b.ReportMetric(float64(info.Size())/1e6, "binary-MB")
	})
	b.Run("existing", func(b *testing.B) {
		data := e2e.StartBinary(b)
		data.End(b)
		for b.Loop() {
			p := e2e.StartBinary(b, "--data", data.Data)
			b.StopTimer()
			b.ReportMetric(residentMB(b, p.Pid()), "idle-MB")
			p.End(b)
			b.StartTimer()
		}
	})
}

// residentMB reads the resident size of a process where the system tells it in /proc.
func residentMB(b *testing.B, pid int) float64 {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		b.Logf("resident memory is not measured: %v", err)
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kilobytes, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	if err != nil {
		b.Fatal(err)
	}
	return kilobytes / 1024
}
