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
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"edict/platform/longtest"
)

var (
	conversations = flag.Int("conversations", longtest.Pick(1000, 3000), "how many conversations TestConversations compares with net/http")
	firstSeed     = flag.Uint64("seed", 1, "that of the first conversation")
)

// difference is where this package does not do what net/http does, and why.
type difference struct {
	name, why string
	text      string // of a conversation that shows it
	here      string // the statuses of the answers, and of net/http's
	there     string

	// applies reports whether it explains the last answer of a connection, which net/http does not give to the request that the text begins with. What does
	// not end the connection has none: see resumes.
	applies func(request string, answer said) bool
}

var differences = []difference{{
	name: "empty lines", why: "a server should ignore empty lines before a request (RFC 9112, 2.2); net/http ignores four bytes after POST only",
	text: "\r\n\n" + request("GET", "/echo", "") + "\r\n\r\n\r\n" + post("/echo", "x") + "\n" + post("/echo", "y"),
	here: "200 200 200", there: "400",
}, {
	name: "length and encoding", why: "readers of the two headers find different ends of the request (RFC 9112, 6.3)",
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
	name: "keep-alive and close in HTTP/1.0", why: "a side that requests closing gets it (RFC 9112, 9.3); net/http keeps it open",
	text: "POST /echo HTTP/1.0\r\nConnection: keep-alive, close\r\nContent-Length: 0\r\n\r\n" + post("/echo", "next"),
	here: "200", there: "200 200",
	applies: func(request string, answer said) bool {
		return answer.ends && old(request) && hasWord(strings.Join(headerOf([]byte(request))["Connection"], ","), "close")
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
	var trailer http.Header
	if path != "/early" && path != "/close" && path != "/part" { // else it depends on the packets how much was read
		trailer = r.Trailer
	}
	h := w.Header()
	h.Set("X-Seen", fmt.Sprintf("%q", fmt.Sprint(r.Method, r.RequestURI, r.URL, r.Proto, r.Host, r.Header, r.ContentLength, r.TransferEncoding, trailer, r.Close, body, err)))
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
	_, _ = w.Write(body[:min(len(body), 1000)]) // of more net/http does not know the length
}

// heard takes what a server sent apart.
func heard(text []byte) (answers []said, err error) {
	in := bufio.NewReader(bytes.NewReader(text))
	for {
		line, err := in.ReadString('\n')
		if errors.Is(err, io.EOF) && line == "" {
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

// TestDifferencesInDocs: internals/web.md lists the differences that there are.
func TestDifferencesInDocs(t *testing.T) {
	table := "| difference | edict | net/http | reason |\n|---|---|---|---|\n"
	for _, d := range differences {
		table += fmt.Sprintf("| %s | %s | %s | %s |\n", d.name, d.here, d.there, d.why)
	}
	page, err := os.ReadFile("../../internals/web.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "\n"+table+"\n") {
		t.Errorf("internals/web.md does not have the table of differences as it is; it should be\n%s", table)
	}
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
	var next, skipped, explained atomic.Int64
	var refused, answered atomic.Int64
	var wg sync.WaitGroup
	for range 2 * runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(*conversations) && !t.Failed(); i = next.Add(1) - 1 {
				c := s.compare(*firstSeed + uint64(i))
				if c.problem != "" {
					t.Errorf("conversation of seed %d: %s\n%q\nhere %s\nnet/http %s", c.seed, c.problem, c.text, c.here, c.there)
				}
				switch {
				case c.skipped:
					skipped.Add(1)
				case c.explained:
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
	t.Logf("%d conversations from seed %d in %v (%.0f a second): %d answers of handlers, %d others; %d are what net/http says without the empty lines, %d differ as the table explains otherwise",
		*conversations, *firstSeed, took.Round(time.Millisecond), float64(*conversations)/took.Seconds(), answered.Load(), refused.Load(), skipped.Load(), explained.Load())
	if answered.Load() < int64(*conversations) || refused.Load() < int64(*conversations)/50 {
		t.Error("the conversations are too good, or too bad, to tell anything")
	}
}

// comparison is one conversation with both.
type comparison struct {
	seed        uint64
	text        string
	here, there []said
	problem     string // "": the same, or explained
	skipped     bool   // net/http says the same to exactly the text without the empty lines between requests
	explained   bool   // otherwise, by the table
}

func (s *servers) compare(seed uint64) *comparison {
	g := &generator{rand.New(rand.NewPCG(seed, 0))}
	c := &comparison{seed: seed}
	var without string
	var err, thereErr error
	c.text, without = g.conversation()
	c.here, err = heard(converse(s.here, g.cut(c.text)))
	c.there, thereErr = heard(converse(s.there, g.cut(c.text)))
	switch {
	case err != nil || thereErr != nil:
		c.problem = fmt.Sprintf("what came cannot be read: here %v, net/http %v", err, thereErr)
	case !alike(c.here, c.there):
		c.skipped = without != c.text && alike(c.here, s.ask(without))
		c.explained = !c.skipped && s.explains(c.text, c.here, c.there)
		if !c.skipped && !c.explained {
			c.problem = "differs"
		}
	}
	return c
}

// agreeing is how many answers are the same. Of the last one it does not matter whether it says that it is.
func agreeing(here, there []said) int {
	n := 0
	for ; n < min(len(here), len(there)); n++ {
		a, b := here[n], there[n]
		if n == len(here)-1 || n == len(there)-1 {
			a.ends, b.ends = true, true
		}
		if a != b {
			break
		}
	}
	return n
}

func alike(here, there []said) bool {
	return len(here) == len(there) && agreeing(here, there) == len(here)
}

// explains reports whether the table explains the first answer that is not the same.
func (s *servers) explains(text string, here, there []said) bool {
	n := agreeing(here, there)
	if n < len(there) && there[n].refuses("400") && s.resumes(text, here[n:]) {
		return true
	}
	if last := n; last == len(here)-1 || last == len(here) && last > 0 {
		last = len(here) - 1
		return s.ends(text, here[last], there[last:])
	}
	return false
}

// starts is where a request may begin: in a line with a version, at or before its first space.
func starts(text string) (at []int) {
	from := 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		if strings.Contains(line, " HTTP/") {
			for i := strings.IndexByte(line, ' '); i >= max(0, strings.IndexByte(line, ' ')-40); i-- {
				at = append(at, from+i)
			}
		}
		from += len(line)
	}
	return at
}

// ask returns what net/http says to a text.
func (s *servers) ask(text string) []said {
	answers, _ := heard(converse(s.there, [][]byte{[]byte(text)}))
	return answers
}

// resumes reports whether net/http, which refused an empty line, says the same as this package to what follows the line.
func (s *servers) resumes(text string, here []said) bool {
	for at := 1; at <= len(text); at++ {
		if text[at-1] != '\r' && text[at-1] != '\n' {
			continue
		}
		rest := text[at:]
		if len(here) == 0 && len(strings.TrimLeft(rest, "\r\n")) < leastRequest { // neither answers that
			return true
		}
		there := s.ask(rest)
		if alike(here, there) || agreeing(here, there) > 0 && s.explains(rest, here, there) || len(here) == 1 && s.ends(rest, here[0], there) {
			return true
		}
	}
	return false
}

// ends reports whether the table explains an answer that is the last of its connection, where net/http says something else or goes on.
func (s *servers) ends(text string, answer said, there []said) bool {
	for _, at := range starts(text) {
		for i := range differences {
			if d := &differences[i]; d.applies != nil && d.applies(text[at:], answer) && alike(s.ask(text[at:]), there) {
				return true
			}
		}
	}
	return false
}
