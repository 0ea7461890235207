package e2e

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden files from the answers")

// Update says whether the test was run with -update. A test package that imports this one uses it instead of a flag
// of its own.
func Update() bool { return *update }

// Golden says what a golden file is run against.
type Golden struct {
	URL   string                                      // of the server
	Token func(t testing.TB, user string) string      // for "as NAME", asked once per file and name; nil when nobody signs in
	Vars  map[string]string                           // to begin with; the file gets a copy
	Send  func(*http.Request) (*http.Response, error) // nil: over the network, following no redirects
}

// RunGolden runs every file that matches pattern as a subtest. open is called in the subtest and says what to run the
// file against: a server of its own, or one that files share.
func RunGolden(t *testing.T, pattern string, open func(t *testing.T) Golden) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files match %s (%v)", pattern, err)
	}
	for _, file := range files {
		name, _, _ := strings.Cut(filepath.Base(file), ".")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			archive := txtar.Parse(text)
			newSession(t, open(t)).run(archive)
			if *update && !t.Failed() {
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// session is one run of one file.
type session struct {
	Golden
	t      *testing.T
	match  *matcher
	tokens map[string]string
}

func newSession(t *testing.T, g Golden) *session {
	s := &session{Golden: g, t: t, match: &matcher{vars: map[string]string{}}, tokens: map[string]string{}}
	maps.Copy(s.match.vars, g.Vars)
	if s.Send == nil {
		s.Send = PlainClient(t).Do
	}
	return s
}

// PlainClient sends requests as they are: it neither follows redirects nor asks for compression.
func PlainClient(t testing.TB) *http.Client {
	transport := &http.Transport{DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{
		Transport: transport, Timeout: 30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

const wantName = "want"

// run sends the requests of the archive in order and stops at the first answer that is not as wanted. With -update it
// puts the answers into the archive instead.
func (s *session) run(a *txtar.Archive) {
	for i := 0; i < len(a.Files); i++ {
		section := a.Files[i]
		if section.Name == wantName {
			s.t.Fatalf("a section %q without a request before it", wantName)
		}
		got := s.exchange(section)
		hasWant := i+1 < len(a.Files) && a.Files[i+1].Name == wantName
		switch {
		case !hasWant && !*update:
			s.t.Fatalf("%s: there is no section %q; run with -update and read what it writes\n%s", section.Name, wantName, got)
		case !hasWant:
			a.Files = slices.Insert(a.Files, i+1, txtar.File{Name: wantName})
		}
		i++
		s.compare(section.Name, &a.Files[i], got)
	}
}

func (s *session) compare(name string, section *txtar.File, got *answer) {
	want, err := parseWant(string(section.Data))
	if err != nil && !*update {
		s.t.Fatalf("%s: %v", name, err)
	}
	s.match.problems = nil
	if want != nil {
		s.matchAnswer(want, got)
	}
	if *update {
		if want == nil || len(s.match.problems) > 0 {
			section.Data = []byte(s.rewriteWant(want, got))
		}
		return
	}
	if len(s.match.problems) > 0 {
		s.t.Fatalf("%s:\n  %s\nthe answer was\n%s", name, strings.Join(s.match.problems, "\n  "), got)
	}
}

// exchange sends the request of a section.
func (s *session) exchange(section txtar.File) *answer {
	s.t.Helper()
	request, err := s.request(string(section.Data))
	if err != nil {
		s.t.Fatalf("%s: %v", section.Name, err)
	}
	response, err := s.Send(request)
	if err != nil {
		s.t.Fatalf("%s: %v", section.Name, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatalf("%s: reading the answer: %v", section.Name, err)
	}
	return &answer{status: response.StatusCode, header: response.Header, body: body}
}

// request makes the request that a section describes.
func (s *session) request(text string) (*http.Request, error) {
	text, err := s.match.expand(text)
	if err != nil {
		return nil, err
	}
	head, body := cutHead(text)
	target, user, signed := strings.Cut(head[0], " as ")
	method, path, ok := strings.Cut(strings.TrimSpace(target), " ")
	if !ok {
		return nil, fmt.Errorf("%q is not METHOD PATH", head[0])
	}
	request, err := http.NewRequest(method, s.URL+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	if body != "" && strings.ContainsAny(body[:1], "{[") {
		request.Header.Set("Content-Type", "application/json")
	}
	if signed {
		request.Header.Set("Authorization", "Bearer "+s.token(strings.TrimSpace(user)))
	}
	return request, setHeaders(request, head[1:])
}

func setHeaders(request *http.Request, lines []string) error {
	for _, line := range lines {
		key, value, ok := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch {
		case !ok:
			return fmt.Errorf("%q is not a header", line)
		case value == "":
			request.Header.Del(key)
		case strings.EqualFold(key, "Host"):
			request.Host = value
		default:
			request.Header.Set(key, value)
		}
	}
	return nil
}

func (s *session) token(user string) string {
	if s.Token == nil {
		s.t.Fatalf("as %s: this test has no tokens to give", user)
	}
	if _, ok := s.tokens[user]; !ok {
		s.tokens[user] = s.Token(s.t, user)
	}
	return s.tokens[user]
}

// cutHead splits a section into the lines before the first empty one and what follows it.
func cutHead(text string) (head []string, body string) {
	top, body, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n\n")
	return strings.Split(strings.TrimRight(top, "\n"), "\n"), strings.TrimRight(body, "\n")
}

// answer is what the server said.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// String is the answer as a reader wants to see it.
func (a *answer) String() string {
	var b bytes.Buffer
	fmt.Fprintln(&b, a.status, http.StatusText(a.status))
	_ = a.header.Write(&b) // a buffer takes everything
	fmt.Fprintf(&b, "\n%s\n", a.body)
	return b.String()
}

func (a *answer) isJSON() bool {
	media, _, err := mime.ParseMediaType(a.header.Get("Content-Type"))
	return err == nil && (media == "application/json" || strings.HasSuffix(media, "+json"))
}

// want is what a file says about an answer.
type want struct {
	status  string
	headers []string // lines, "Name: value" or "!Name"
	body    string
}

func parseWant(text string) (*want, error) {
	head, body := cutHead(text)
	status, _, _ := strings.Cut(head[0], " ")
	if _, err := strconv.Atoi(status); err != nil {
		return nil, fmt.Errorf("%q is not a status", head[0])
	}
	for _, line := range head[1:] {
		if !strings.HasPrefix(line, "!") && !strings.Contains(line, ":") {
			return nil, fmt.Errorf("%q is neither Name: value nor !Name", line)
		}
	}
	return &want{status: status, headers: head[1:], body: body}, nil
}

func (s *session) matchAnswer(w *want, got *answer) {
	m := s.match
	m.text("status", w.status, strconv.Itoa(got.status))
	for _, line := range w.headers {
		if name, absent := strings.CutPrefix(line, "!"); absent {
			if value := got.header.Values(name); len(value) > 0 {
				m.complain(name, "there must be none, got %q", value)
			}
			continue
		}
		name, value, _ := strings.Cut(line, ":")
		m.text(name, strings.TrimSpace(value), strings.Join(got.header.Values(name), ", "))
	}
	s.matchBody(w.body, got)
}

func (s *session) matchBody(want string, got *answer) {
	body := strings.TrimRight(string(got.body), "\n")
	if !got.isJSON() || want == "<any>" || want == "" {
		s.match.text("body", want, body)
		return
	}
	wanted, err := parseTree([]byte(want))
	if err != nil {
		s.match.complain("body", "what the file wants is not JSON: %v", err)
		return
	}
	tree, err := parseTree(got.body)
	if err != nil {
		s.match.complain("body", "the answer is not JSON: %v", err)
		return
	}
	s.match.json("body", wanted, tree)
}

// telling are the headers that a new want section looks at.
var telling = []string{"Allow", "Content-Type", "Deprecation", "Location", "Retry-After", "Www-Authenticate"}

// rewriteWant is the answer as a want section, in the words of the old one where they still hold.
func (s *session) rewriteWant(old *want, got *answer) string {
	var b strings.Builder
	fmt.Fprintln(&b, got.status)
	for _, line := range s.rewriteHeaders(old, got) {
		fmt.Fprintln(&b, line)
	}
	if len(got.body) == 0 {
		return b.String()
	}
	body := strings.TrimRight(string(got.body), "\n")
	if tree, err := parseTree(got.body); err == nil && got.isJSON() {
		var before node
		if old != nil {
			before, _ = parseTree([]byte(old.body))
		}
		rewritten := s.match.rewrite(before, tree)
		s.match.json("body", rewritten, tree) // bind what later requests use
		body = format(rewritten, "")
	}
	if old != nil && old.body == "<any>" {
		body = old.body
	}
	return b.String() + "\n" + body + "\n"
}

func (s *session) rewriteHeaders(old *want, got *answer) []string {
	var lines []string
	if old == nil {
		for _, name := range telling {
			if value := got.header.Values(name); len(value) > 0 {
				lines = append(lines, name+": "+strings.Join(value, ", "))
			}
		}
		return lines
	}
	for _, line := range old.headers {
		name, value, _ := strings.Cut(strings.TrimPrefix(line, "!"), ":")
		actual := strings.Join(got.header.Values(name), ", ")
		probe := &matcher{vars: s.match.vars}
		switch {
		case actual == "":
			lines = append(lines, "!"+name)
		case !strings.HasPrefix(line, "!") && probe.text(name, strings.TrimSpace(value), actual):
			lines = append(lines, line)
		default:
			lines = append(lines, name+": "+actual)
		}
	}
	return lines
}
