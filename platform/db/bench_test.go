//go:build unix

package db

import (
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// items is the table a publish writes to: one integer key, one index, 200 bytes of content.
const items = `
CREATE TABLE item (id INTEGER PRIMARY KEY, channel INTEGER NOT NULL, at INTEGER NOT NULL, publisher TEXT NOT NULL, content BLOB NOT NULL) STRICT;
CREATE INDEX item_channel ON item (channel, id);`

// BenchmarkWrite measures durable inserts (fsync on) by callers that each wait for their answer.
//
//	go test ./platform/db -run - -bench Write -benchtime 2s
func BenchmarkWrite(b *testing.B) {
	for _, callers := range []int{1, 16, 64, 256} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) { benchmarkWrite(b, callers) })
	}
}

func benchmarkWrite(b *testing.B, callers int) {
	var groups, writes int
	d := open(b, b.TempDir(), Options{Observe: func(g Group) { groups++; writes += g.Writes }}, schema(items))
	content := make([]byte, 200)
	var next atomic.Int64
	var wg sync.WaitGroup
	before, start := cpu(), time.Now()
	b.ResetTimer()
	for range callers {
		wg.Go(func() {
			for {
				n := next.Add(1)
				if n > int64(b.N) {
					return
				}
				err := d.Write(b.Context(), func(tx *Tx) error {
					_, err := tx.Exec("INSERT INTO item (channel, at, publisher, content) VALUES (?, ?, ?, ?)", n%1000, n, "0123456789abcdef0123456789abcdef", content)
					return err
				})
				if err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	rows := float64(b.N)
	b.ReportMetric(rows/time.Since(start).Seconds(), "rows/s")
	b.ReportMetric(float64((cpu()-before).Microseconds())/rows, "cpu-µs/row")
	b.ReportMetric(float64(writes)/float64(max(groups, 1)), "rows/group")
}

func BenchmarkReadRow(b *testing.B) {
	d := open(b, b.TempDir(), Options{})
	if err := d.Write(b.Context(), add("one")); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		var id int64
		if err := d.Read(b.Context()).QueryRow("SELECT id FROM note WHERE text = ?", "one").Scan(&id); err != nil {
			b.Fatal(err)
		}
	}
}

func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
