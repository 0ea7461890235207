package web_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"edict/platform/web"
)

// BenchmarkSmallPost is what surrounds a handler that does nothing but read and answer: 500 bytes posted over each of four
// kept-alive connections, 200 bytes of JSON back. The client allocates nothing, so that what is counted is the server's. "watched" is
// how the simulation answers, "short" how messages are published.
func BenchmarkSmallPost(b *testing.B) {
	for _, name := range []string{"watched", "short"} {
		b.Run(name, func(b *testing.B) { benchSmallPost(b, startSmallPost(b, name == "short")) })
	}
}

func startSmallPost(b *testing.B, short bool) (addr string) {
	answer := []byte(`{"text":"` + strings.Repeat("x", 189) + `"}`)
	handle := func(w http.ResponseWriter, r *http.Request) error {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return err
		}
		return web.WriteRaw(w, http.StatusOK, answer)
	}
	s, err := web.New(web.Options{Listen: "127.0.0.1:0", Logger: slog.New(slog.DiscardHandler)}, web.Service{
		Name: "s", Prefixes: []string{"/", "/post"}, CORS: web.AnyOrigin(), Short: short, TrailingSlash: true,
		Routes: []web.Route{{Method: "POST", Path: "/post", Policy: web.Public, Handle: handle, Doc: bodyDoc("Post")}},
	})
	if err != nil {
		b.Fatal(err)
	}
	bound, err := s.Listen(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve() }()
	b.Cleanup(func() {
		if err := s.Shutdown(b.Context()); err != nil && b.Context().Err() == nil {
			b.Error(err)
		}
		<-served
	})
	return bound.String()
}

func benchSmallPost(b *testing.B, addr string) {
	const connections = 4
	text := fmt.Appendf(nil, "POST /post HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n%s", addr, strings.Repeat("y", 500))
	conns := make([]*poster, connections)
	for i := range conns {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			b.Fatal(err)
		}
		defer c.Close()
		conns[i] = &poster{conn: c, text: text, buf: make([]byte, 4096)}
		if err := conns[i].post(); err != nil {
			b.Fatal(err)
		}
	}
	var left atomic.Int64
	left.Store(int64(b.N))
	b.ReportAllocs()
	b.ResetTimer()
	var group sync.WaitGroup
	for _, c := range conns {
		group.Go(func() {
			for left.Add(-1) >= 0 {
				if err := c.post(); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
}

// poster sends the same request over and over.
type poster struct {
	conn      net.Conn
	text, buf []byte
}

// post sends the request and reads the answer, whose body ends with a brace.
func (p *poster) post() error {
	if _, err := p.conn.Write(p.text); err != nil {
		return err
	}
	for n := 0; ; {
		m, err := p.conn.Read(p.buf[n:])
		if err != nil {
			return err
		}
		if n += m; p.buf[n-1] != '}' {
			continue
		}
		if !bytes.HasPrefix(p.buf[:n], []byte("HTTP/1.1 200 OK\r\n")) {
			return fmt.Errorf("%s", p.buf[:n])
		}
		return nil
	}
}
