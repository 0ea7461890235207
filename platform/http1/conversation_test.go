package http1

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httputil"
	"net/textproto"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var (
	conversations = flag.Int("conversations", 3000, "how many conversations TestConversations compares with net/http")
	firstSeed     = flag.Uint64("seed", 1, "that of the first conversation")
)

// difference is where this package does not do what net/http does, and why.
type difference struct {
	name, why string
	text      string // of a conversation that shows it
	here      string // the statuses of the answers, and of net/http's
	there     string

	// applies reports whether it explains the last answer of a connection, which net/http does not give to the request that the text begins with. What does
	// not end the connection has none, and is taken out of what net/http gets to hear.
	applies func(request string, answer said) bool
}

var differences = []difference{{
	name: "empty lines", why: "a server should ignore empty lines before a request (RFC 9112, 2.2); net/http ignores four bytes after POST only",
	text: "\r\n\n" + request("GET", "/echo", "") + "\r\n\r\n\r\n" + post("/echo", "x") + "\n" + post("/echo", "y"),
	here: "200 200 200", there: "400",
}, {
	name: "length and encoding", why: "who reads one of the two finds another end of the request than who reads the other (RFC 9112, 6.3)",
	text: request("POST", "/echo", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n") + "0\r\n\r\n" + post("/echo", "next"),
	here: "400", there: "200 200",
	applies: func(request string, answer said) bool {
		return answer.refuses("400") && named(request, "Transfer-Encoding") && named(request, "Content-Length")
	},
}, {
	name: "encoding in HTTP/1.0", why: "its framing is faulty, and the connection ends with it (RFC 9112, 6.1); net/http ignores the encoding",
	text: "POST /echo HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n" + post("/echo", "next"),
	here: "400", there: "200 200",
	applies: func(request string, answer said) bool {
		return answer.refuses("400") && old(request) && named(request, "Transfer-Encoding")
	},
}, {
	name: "half a preface of HTTP/2", why: "it is no request, and no handler takes such connections over; net/http calls the handler",
	text: "PRI * HTTP/2.0\r\n\r\n" + post("/echo", "next"),
	here: "505", there: "200",
	applies: func(request string, answer said) bool {
		return answer.refuses("505") && strings.HasPrefix(request, "PRI * HTTP/2.0\r\n")
	},
}, {
	name: "keep-alive and close in HTTP/1.0", why: "whoever wants it closed gets it closed (RFC 9112, 9.3); net/http keeps it",
	text: "POST /echo HTTP/1.0\r\nConnection: keep-alive, close\r\nContent-Length: 0\r\n\r\n" + post("/echo", "next"),
	here: "200", there: "200 200",
	applies: func(request string, answer said) bool {
		return answer.ends && old(request) && hasWord(headerOf([]byte(request)).Get("Connection"), "close")
	},
}}

// old reports whether a request is of HTTP/1.0.
func old(request string) bool {
	first, _, _ := strings.Cut(request, "\n")
	return strings.Contains(first, "HTTP/1.0")
}

// named reports whether a header stands in the head of a request.
func named(request, name string) bool {
	return len(headerOf([]byte(request))[name]) > 0
}

// said is one answer in a form that can be compared.
type said struct {
	status string
	seen   string // what the handler saw of the request; "": there was no handler
	body   string
	ends   bool // it says that the connection ends
}

// refuses reports whether no handler was asked.
func (s said) refuses(status string) bool { return s.status == status && s.seen == "" }

func (s said) String() string {
	return fmt.Sprintf("%s ends %v, seen %.500s, body %.60q of %d", s.status, s.ends, s.seen, s.body, len(s.body))
}

// hearing is the handler of both: it answers in various ways and tells what it saw.
func hearing(w http.ResponseWriter, r *http.Request) {
	var body []byte
	var err error
	path := strings.TrimPrefix(r.URL.Path, "/watched")
	switch path {
	case "/early", "/close":
	case "/part":
		body = make([]byte, 3)
		var n int
		n, err = io.ReadFull(r.Body, body)
		body = body[:n]
	default:
		body, err = io.ReadAll(r.Body)
	}
	h := w.Header()
	h.Set("X-Seen", fmt.Sprintf("%q", fmt.Sprint(r.Method, r.RequestURI, r.URL, r.Proto, r.Host, r.Header, r.ContentLength, r.TransferEncoding, r.Trailer, r.Close, body, err)))
	h.Set("X-Method", r.Method)
	switch path {
	case "/empty":
		w.WriteHeader(http.StatusNoContent)
		return
	case "/none":
		w.WriteHeader(http.StatusNotFound)
		return
	case "/close":
		h.Set("Connection", "close")
	case "/big":
		_, _ = w.Write(make([]byte, 50_000))
	case "/sized":
		h.Set("Content-Length", "5")
		_, _ = io.WriteString(w, "he")
		_, _ = io.WriteString(w, "llo")
		return
	case "/flush":
		_, _ = io.WriteString(w, "a")
		_ = http.NewResponseController(w).Flush()
	}
	_, _ = w.Write(body)
}

// heard takes what a server sent apart.
func heard(text []byte) (answers []said, err error) {
	in := bufio.NewReader(bytes.NewReader(text))
	for {
		line, err := in.ReadString('\n')
		if errors.Is(err, io.EOF) && line == "" {
			if n := len(answers); n > 0 {
				answers[n-1].ends = true // said or not
			}
			return answers, nil
		}
		_, status, ok := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		if !ok || !strings.HasPrefix(line, "HTTP/1.") {
			return answers, fmt.Errorf("no answer begins with %q", line)
		}
		status, _, _ = strings.Cut(status, " ")
		header, err := textproto.NewReader(in).ReadMIMEHeader()
		if err != nil {
			return answers, fmt.Errorf("the head of an answer: %w", err)
		}
		a := said{status: status, seen: header.Get("X-Seen"), ends: ends(line, header.Get("Connection"))}
		if status[0] != '1' {
			if a.body, err = bodyOf(in, status, header); err != nil {
				return answers, err
			}
		}
		if a.seen == "" && status[0] != '1' { // the words of a refusal are another's
			a.body, a.ends = "", true
		}
		answers = append(answers, a)
	}
}

// ends reports whether an answer says that it is the last.
func ends(line, connection string) bool {
	return connection == "close" || strings.HasPrefix(line, "HTTP/1.0") && connection != "keep-alive"
}

func bodyOf(in *bufio.Reader, status string, header textproto.MIMEHeader) (string, error) {
	var from io.Reader = in
	length, sized := header["Content-Length"]
	switch {
	case header.Get("X-Method") == "HEAD" || status == "204" || status == "304":
		return "", nil
	case header.Get("Transfer-Encoding") == "chunked":
		from = httputil.NewChunkedReader(in)
	case sized:
		n, err := strconv.ParseInt(length[0], 10, 64)
		if err != nil {
			return "", err
		}
		text := make([]byte, n)
		_, err = io.ReadFull(in, text)
		return string(text), err
	}
	text, err := io.ReadAll(from)
	if err == nil && header.Get("Transfer-Encoding") == "chunked" {
		_, err = in.ReadString('\n') // after the last chunk
	}
	return string(text), err
}

// servers are the two that are compared.
type servers struct{ here, there *handedOver }

func startServers(t *testing.T) *servers {
	s := &servers{}
	front := &Server{
		Handle: func(ctx context.Context, w http.ResponseWriter, r *http.Request) { hearing(w, r.WithContext(ctx)) }, Kind: kind, Log: slog.New(slog.DiscardHandler),
		HeadTimeout: time.Hour, ReadTimeout: time.Hour, WriteTimeout: time.Hour, IdleTimeout: time.Hour, MaxHead: maxHead,
		Refuse: func(w http.ResponseWriter, r *Refused) {
			w.Header().Set("X-Method", r.Method)
			http.Error(w, r.Reason, r.Status)
		},
	}
	back := netHTTP(http.HandlerFunc(hearing))
	back.Protocols.SetUnencryptedHTTP2(false)
	var wg sync.WaitGroup
	for l, serve := range map[**handedOver]func(*handedOver){
		&s.here:  func(l *handedOver) { _ = front.Serve(l) },
		&s.there: func(l *handedOver) { _ = back.Serve(l) },
	} {
		listener := newHandedOver(nil)
		*l = listener
		wg.Go(func() { serve(listener) })
	}
	t.Cleanup(func() {
		_ = front.Close()
		_ = back.Close()
		wg.Wait()
	})
	return s
}

// TestDifferences shows every difference that TestConversations accepts.
func TestDifferences(t *testing.T) {
	s := startServers(t)
	statuses := func(l *handedOver, text string) string {
		answers, err := heard(converse(l, [][]byte{[]byte(text)}))
		if err != nil {
			t.Error(err)
		}
		var all []string
		for _, a := range answers {
			all = append(all, a.status)
		}
		return strings.Join(all, " ")
	}
	for _, d := range differences {
		t.Run(d.name, func(t *testing.T) {
			if here, there := statuses(s.here, d.text), statuses(s.there, d.text); here != d.here || there != d.there {
				t.Errorf("%s, and net/http %s; want %s and %s", here, there, d.here, d.there)
			}
		})
	}
}

// TestConversations has whole conversations, made by the grammar, with this package and with net/http, and compares what the handler saw and what
// the client got. The first conversation that differs, and is not explained by the table above, is printed with its seed.
func TestConversations(t *testing.T) {
	s := startServers(t)
	began := time.Now()
	var next, explained atomic.Int64
	var refused, answered atomic.Int64
	var wg sync.WaitGroup
	for range 2 * runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(*conversations) && !t.Failed(); i = next.Add(1) - 1 {
				c := s.compare(*firstSeed + uint64(i))
				if c.problem != "" {
					t.Errorf("conversation of seed %d: %s\n%q\nhere %s\nnet/http %s", c.seed, c.problem, c.requests, c.here, c.there)
				}
				if c.difference != nil {
					explained.Add(1)
				}
				for _, a := range c.here {
					if a.seen == "" {
						refused.Add(1)
					} else {
						answered.Add(1)
					}
				}
			}
		})
	}
	wg.Wait()
	took := time.Since(began)
	t.Logf("%d conversations from seed %d in %v (%.0f a second): %d answers of handlers, %d others; %d differ as the table explains",
		*conversations, *firstSeed, took.Round(time.Millisecond), float64(*conversations)/took.Seconds(), answered.Load(), refused.Load(), explained.Load())
	if answered.Load() < int64(*conversations) || refused.Load() < int64(*conversations)/50 {
		t.Error("the conversations are too good, or too bad, to tell anything")
	}
}

// comparison is one conversation with both.
type comparison struct {
	seed        uint64
	requests    []asked
	here, there []said // there: when net/http hears of no empty lines
	problem     string // "": the same, or explained
	difference  *difference
}

func (s *servers) compare(seed uint64) *comparison {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0))}
	c := &comparison{seed: seed, requests: g.conversation()}
	var err error
	if c.here, err = heard(converse(s.here, g.cut(c.text(1<<len(c.requests)-1)))); err != nil {
		c.problem = "what came cannot be read: " + err.Error()
		return c
	}
	// net/http does not hear of the empty lines but those that are part of a body which is not as it should be.
	for keep := range 1 << len(c.requests) {
		if c.keepsNothing(keep) {
			continue
		}
		there, err := heard(converse(s.there, g.cut(c.text(keep))))
		if err != nil {
			c.problem = "what net/http said cannot be read: " + err.Error()
			return c
		}
		if slices.Equal(c.here, there) {
			return c
		}
		if c.difference = c.explain(there); c.difference != nil {
			return c
		}
		if keep == 0 {
			c.there = there
		}
	}
	c.problem = "differs"
	return c
}

// text is the whole conversation, with the empty lines before those requests whose bits are set.
func (c *comparison) text(keep int) string {
	var b strings.Builder
	for i, a := range c.requests {
		if keep>>i&1 == 1 {
			b.WriteString(a.before)
		}
		b.WriteString(a.text)
	}
	return b.String()
}

// keepsNothing reports whether a bit is set for a request that has no empty lines before it.
func (c *comparison) keepsNothing(keep int) bool {
	for i, a := range c.requests {
		if keep>>i&1 == 1 && a.before == "" {
			return true
		}
	}
	return false
}

// explain returns the difference that the first answer which is not the same comes from.
func (c *comparison) explain(there []said) *difference {
	at, final := 0, 0 // of the answers; of those that are not informational
	for at < min(len(c.here), len(there)) && c.here[at] == there[at] {
		if c.here[at].status[0] != '1' {
			final++
		}
		at++
	}
	if at != len(c.here)-1 || final >= len(c.requests) {
		return nil
	}
	var rest strings.Builder // of a request that is open, the next one is a part
	for _, a := range c.requests[final:] {
		rest.WriteString(a.text)
	}
	for i := range differences {
		if d := &differences[i]; d.applies != nil && d.applies(rest.String(), c.here[at]) {
			return d
		}
	}
	return nil
}
