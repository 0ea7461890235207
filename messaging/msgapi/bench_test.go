//go:build unix

package msgapi_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"edict/messaging/msgapi"
)

// cpu returns the processor time this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// sink is a ResponseWriter that costs nothing.
type sink struct {
	header http.Header
	status int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) WriteHeader(status int)      { s.status = status }
func (s *sink) Write(p []byte) (int, error) { return len(p), nil }

// body is a request's body that can be read again.
type body struct{ strings.Reader }

func (*body) Close() error { return nil }

// BenchmarkPublish measures durable publishes of 200 bytes by 64 callers through the complete handler, without a network:
// what a publish costs besides net/http.
func BenchmarkPublish(b *testing.B) {
	f := newFixture(b)
	content := `{"content":{"text":"` + strings.Repeat("x", 189) + `"}}`
	target := msgapi.Prefix + "/channels/open/items"
	u, err := url.ParseRequestURI(target)
	check(b, err)
	var next atomic.Int64
	var wg sync.WaitGroup
	b.ReportAllocs()
	b.ResetTimer()
	began, used := time.Now(), cpu()
	for range 64 {
		wg.Go(func() {
			header := http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + f.token}}
			for next.Add(1) <= int64(b.N) {
				content := &body{*strings.NewReader(content)}
				r := http.Request{Method: "POST", URL: u, RequestURI: target, Header: header, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Body: content, ContentLength: content.Size()}
				w := sink{header: http.Header{}}
				f.handler.ServeHTTP(&w, r.WithContext(b.Context()))
				if w.status != http.StatusCreated {
					b.Errorf("status %d", w.status)
					return
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64((cpu()-used).Microseconds())/float64(b.N), "cpu-µs/publish")
	b.ReportMetric(float64(b.N)/time.Since(began).Seconds(), "publishes/s")
}

var _ io.ReadCloser = (*body)(nil)
