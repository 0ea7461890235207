package realtime_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"edict/messaging"
)

// BenchmarkReplay resumes a stream far behind, whose channels alternate: one operation is one event, read from the log, written
// and counted by the client.
func BenchmarkReplay(b *testing.B) {
	for _, channels := range []int{1, 4, 64, 512} {
		b.Run(fmt.Sprintf("channels=%d", channels), func(b *testing.B) { benchmarkReplay(b, channels) })
	}
}

func benchmarkReplay(b *testing.B, channels int) {
	f := setUp(b, settings{})
	for i := range channels {
		f.create(ann, fmt.Sprint("c", i), nil)
	}
	cursor := f.head()
	const items = 64 * 512
	var publishers sync.WaitGroup
	for p := range 64 {
		publishers.Go(func() {
			for n := range items / 64 {
				draft := messaging.NewItem{Content: fmt.Appendf(nil, `{"n":%d,"text":"%s"}`, n, strings.Repeat("x", 180))}
				_, err := f.Publish(context.Background(), ann, ref(fmt.Sprint("c", (n*64+p)%channels)), draft)
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	publishers.Wait()
	b.ResetTimer()
	for n := 0; n < b.N; n += items {
		if got := countItems(f, cursor); got != items {
			b.Fatalf("%d of %d items were replayed", got, items)
		}
	}
}

// countItems opens a stream and counts its items until it is ready.
func countItems(f *fixture, cursor string) (n int) {
	resp, err := http.DefaultTransport.RoundTrip(request(f, "GET", f.url+eventsPath+"?cursor="+cursor, "ann"))
	f.ok(err)
	defer resp.Body.Close()
	buffer := make([]byte, 256<<10)
	for kept := 0; ; {
		got, err := resp.Body.Read(buffer[kept:])
		if err != nil && !errors.Is(err, io.EOF) {
			f.Fatal(err)
		}
		all := buffer[:kept+got]
		n += bytes.Count(all, []byte("event: item\n"))
		if bytes.Contains(all, []byte("event: ready\n")) {
			return n
		}
		last := bytes.LastIndexByte(all, '\n') + 1
		kept = copy(buffer, all[last:])
	}
}
