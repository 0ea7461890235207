package realtime_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"edict/messaging"
)

// BenchmarkReplay resumes a stream far behind: one operation is one event, read from the log, written, received and parsed.
func BenchmarkReplay(b *testing.B) {
	f := setUp(b, settings{})
	for i := range 4 {
		f.create(ann, fmt.Sprint("c", i), nil)
	}
	cursor := f.head()
	const items = 20000
	var publishers sync.WaitGroup
	for p := range 64 {
		publishers.Go(func() {
			for n := range items / 64 {
				_, err := f.Publish(context.Background(), ann, ref(fmt.Sprint("c", p%4)), messaging.Draft{Content: fmt.Appendf(nil, `{"n":%d,"text":"%s"}`, n, strings.Repeat("x", 180))})
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	publishers.Wait()
	b.ResetTimer()
	for n := 0; n < b.N; {
		c := open(f, "SSE", "ann", "?cursor="+cursor)
		for c.next().Event != "ready" && n < b.N {
			n++
		}
		c.close()
	}
}
