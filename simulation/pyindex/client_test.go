package pyindex_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"edict/simulation/pyindex"
)

// index is a package index on loopback that speaks both forms of the protocol.
type index struct {
	*httptest.Server
	form  string            // "json" or "html"
	files map[string][]byte // by name; the project is everything in front of the version
	attrs map[string]string // of links in HTML, and yanked in JSON
	hash  func(name string, content []byte) string
}

func newIndex(t *testing.T, form string, files map[string][]byte) *index {
	t.Helper()
	x := &index{form: form, files: files, attrs: map[string]string{}, hash: func(_ string, content []byte) string {
		sum := sha256.Sum256(content)
		return hex.EncodeToString(sum[:])
	}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /simple/openfisca-demo/{$}", x.page)
	mux.HandleFunc("GET /files/{name}", func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(x.files[r.PathValue("name")])
	})
	mux.HandleFunc("GET /moved/openfisca-demo/{$}", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/simple/openfisca-demo/", http.StatusMovedPermanently)
	})
	x.Server = httptest.NewServer(mux)
	t.Cleanup(x.Close)
	return x
}

func (x *index) page(w http.ResponseWriter, r *http.Request) {
	if x.form == "json" && strings.Contains(r.Header.Get("Accept"), "application/vnd.pypi.simple.v1+json") {
		w.Header().Set("Content-Type", "application/vnd.pypi.simple.v1+json")
		list := []map[string]any{}
		for name, content := range x.files {
			entry := map[string]any{"filename": name, "url": "../../files/" + name, "hashes": map[string]string{"sha256": x.hash(name, content)}, "yanked": false}
			if why, ok := x.attrs[name]; ok {
				entry["yanked"] = why
			}
			list = append(list, entry)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"meta": map[string]string{"api-version": "1.1"}, "name": "openfisca-demo", "files": list})
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, "<!DOCTYPE html><html><head><base href='/files/'></head><body>")
	for name, content := range x.files {
		yanked := ""
		if why, ok := x.attrs[name]; ok {
			yanked = fmt.Sprintf("data-yanked=%q", why)
		}
		fmt.Fprintf(w, "<A data-requires-python='&gt;=3.9' %s HREF='%s#sha256=%s'>%s</A><br>\n", yanked, name, x.hash(name, content), name)
	}
}

func wheel(version string) string { return "openfisca_demo-" + version + "-py3-none-any.whl" }

func (x *index) client(t *testing.T, change ...func(*pyindex.Config)) *pyindex.Client {
	t.Helper()
	config := pyindex.Config{Indexes: []string{x.URL + "/simple/"}, Timeout: 10 * time.Second}
	for _, f := range change {
		f(&config)
	}
	c, err := pyindex.NewClient(config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func want(t *testing.T, text string) pyindex.Requirement {
	t.Helper()
	r, err := pyindex.ParseRequirement(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestChoice: both forms of an index lead to the same files.
func TestChoice(t *testing.T) {
	files := map[string][]byte{
		wheel("1.0"): []byte("1.0"), wheel("1.2"): []byte("1.2"), "openfisca-demo-1.2.tar.gz": []byte("source"), wheel("1.10"): []byte("1.10"),
		wheel("2.0rc1"): []byte("rc"), wheel("1.11"): []byte("yanked"), "openfisca_demo-1.9-cp311-cp311-linux_x86_64.whl": []byte("compiled"),
		"openfisca-demo-0.9.zip": []byte("zip"), "openfisca-demo-1.10-py3.egg": []byte("egg"), "other-3.0-py3-none-any.whl": []byte("other"),
	}
	for _, form := range []string{"json", "html"} {
		x := newIndex(t, form, files)
		x.attrs[wheel("1.11")] = "wrong rates"
		for text, name := range map[string]string{
			"openfisca-demo": wheel("1.10"), "OpenFisca.Demo<1.10": wheel("1.2"), "openfisca-demo==1.2": wheel("1.2"), "openfisca-demo<1": "openfisca-demo-0.9.zip",
			"openfisca-demo==1.11": wheel("1.11"), "openfisca-demo>=2.0rc0": wheel("2.0rc1"), "openfisca-demo==2.0rc1": wheel("2.0rc1"), "openfisca-demo~=1.0": wheel("1.10"),
		} {
			f, err := x.client(t).Find(context.Background(), want(t, text))
			if err != nil || f.Name != name {
				t.Errorf("%s: %s is %s, %v; want %s", form, text, f.Name, err, name)
				continue
			}
			var got bytes.Buffer
			if _, err := x.client(t).Download(context.Background(), f, "", &got, nil); err != nil || got.String() != string(files[name]) {
				t.Errorf("%s: %s is %q, %v", form, f.Name, got.String(), err)
			}
		}
		early := x.client(t, func(c *pyindex.Config) { c.PreReleases = true })
		if f, err := early.Find(context.Background(), want(t, "openfisca-demo")); err != nil || f.Name != wheel("2.0rc1") {
			t.Errorf("%s: with pre-releases %s, %v", form, f.Name, err)
		}
	}
}

func TestNotFound(t *testing.T) {
	x := newIndex(t, "json", map[string][]byte{wheel("1.0"): nil, wheel("1.1"): nil, wheel("1.3"): nil, wheel("2.0"): nil})
	for text, says := range map[string]string{
		"openfisca-demo==1.2":  "there is no version ==1.2 of openfisca-demo in " + x.URL + "/simple/; there are 2.0, 1.3, 1.1, 1.0",
		"openfisca-demo>3":     "there are 2.0, 1.3",
		"openfisca-nothing":    "there is no project openfisca-nothing in " + x.URL + "/simple/ that edict can use",
		"openfisca-demo===1.9": "there is no version ===1.9",
	} {
		_, err := x.client(t).Find(context.Background(), want(t, text))
		if _, ok := errors.AsType[*pyindex.NotFoundError](err); !ok || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v\nwant %s", text, err, says)
		}
	}
}

// TestDownloads: what is not what was promised is refused.
func TestDownloads(t *testing.T) {
	content := []byte("the content of a wheel")
	x := newIndex(t, "json", map[string][]byte{wheel("1.0"): content})
	right := x.hash("", content)
	ctx := context.Background()
	f, err := x.client(t).Find(ctx, want(t, "openfisca-demo"))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		hashes map[string]string
		pin    string
		says   string // "" if it is right
	}{
		"promised":       {map[string]string{"sha256": right}, "", ""},
		"upper case":     {map[string]string{"sha256": strings.ToUpper(right)}, "", ""},
		"pinned":         {map[string]string{}, "sha256:" + right, ""},
		"changed":        {map[string]string{"sha256": strings.Repeat("0", 64)}, "", "is not the file that was promised: its sha256 is " + right},
		"pinned wrong":   {map[string]string{"sha256": right}, "sha256:" + strings.Repeat("1", 64), "is not the file that was promised"},
		"none":           {map[string]string{}, "", "gives no hash"},
		"weak":           {map[string]string{"md5": "00000000000000000000000000000000"}, "", "gives no hash"},
		"pinned weak":    {map[string]string{"sha256": right}, "md5:00", "is not sha256:"},
		"pinned without": {map[string]string{"sha256": right}, right, "is not sha256:"},
	} {
		f.Hashes = c.hashes
		digest, err := x.client(t).Download(ctx, f, c.pin, new(bytes.Buffer), nil)
		if c.says == "" && (err != nil || digest != right) || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %s, %v; want %s", name, digest, err, c.says)
		}
	}
}

// TestHostileServers: answers that break off, grow without end, lead in circles, or are something else.
func TestHostileServers(t *testing.T) {
	silent := make(chan struct{})
	t.Cleanup(func() { close(silent) })
	for name, c := range map[string]struct {
		serve http.HandlerFunc
		says  string
	}{
		"truncated": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte("<html>"))
		}, "unexpected EOF"},
		"circle": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }, "more than 10 redirections"},
		"plain": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://example.org/", http.StatusFound)
		}, "uses plain HTTP"},
		"a file": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		}, "unsupported protocol"},
		"error":   {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }, "500 Internal Server Error"},
		"refused": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }, "give a name and a password"},
		"picture": {func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "image/png") }, "not a page of a package index"},
		"not JSON": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte("{"))
		}, "cannot be read"},
		"tomorrow": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"meta": {"api-version": "2.0"}, "files": []}`))
		}, "version 2.0 of the protocol"},
		"silent": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
			case <-silent:
			}
		}, "nothing came"},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(c.serve)
			defer s.Close()
			timeout := 10 * time.Second
			if name == "silent" {
				timeout = 50 * time.Millisecond
			}
			client, err := pyindex.NewClient(pyindex.Config{Indexes: []string{s.URL}, Timeout: timeout})
			if err != nil {
				t.Fatal(err)
			}
			_, err = client.Find(context.Background(), want(t, "openfisca-demo"))
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %s", err, c.says)
			}
		})
	}
}

func TestRedirectedIndex(t *testing.T) {
	x := newIndex(t, "html", map[string][]byte{wheel("1.0"): []byte("w")})
	c := x.client(t, func(c *pyindex.Config) { c.Indexes = []string{x.URL + "/moved"} })
	f, err := c.Find(context.Background(), want(t, "openfisca-demo"))
	if err != nil || !strings.HasPrefix(f.URL, x.URL+"/files/") {
		t.Errorf("%s, %v", f.URL, err)
	}
}

// TestSeveralPlaces: all indexes and directories are asked; one that fails is an error, one that does not know the project is not.
func TestSeveralPlaces(t *testing.T) {
	a, b := newIndex(t, "json", map[string][]byte{wheel("1.0"): []byte("a")}), newIndex(t, "html", map[string][]byte{wheel("1.1"): []byte("b")})
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, wheel("1.2")), []byte("local"), 0o600); err != nil {
		t.Fatal(err)
	}
	empty := httptest.NewServer(http.NotFoundHandler())
	defer empty.Close()
	find := func(c pyindex.Config) (string, error) {
		c.Timeout = time.Second
		client, err := pyindex.NewClient(c)
		if err != nil {
			t.Fatal(err)
		}
		f, err := client.Find(context.Background(), want(t, "openfisca-demo"))
		if err != nil {
			return "", err
		}
		var got bytes.Buffer
		_, err = client.Download(context.Background(), f, "", &got, nil)
		return got.String(), err
	}
	indexes := []string{a.URL + "/simple", empty.URL, b.URL + "/simple"}
	if got, err := find(pyindex.Config{Indexes: indexes}); got != "b" || err != nil {
		t.Errorf("indexes: %q, %v", got, err)
	}
	if got, err := find(pyindex.Config{Indexes: indexes, FindLinks: []string{dir, filepath.Join(dir, "none")}}); got != "local" || err != nil {
		t.Errorf("with a directory: %q, %v", got, err)
	}
	if got, err := find(pyindex.Config{FindLinks: []string{b.URL + "/simple/openfisca-demo/"}}); got != "b" || err != nil {
		t.Errorf("a page: %q, %v", got, err)
	}
	empty.Close()
	if _, err := find(pyindex.Config{Indexes: indexes}); err == nil {
		t.Error("an index that cannot be reached is passed over")
	}
}

// TestCredentials: from the address or from netrc, for the index and for files on its host; never for others, never in errors.
func TestCredentials(t *testing.T) {
	x := newIndex(t, "json", map[string][]byte{wheel("1.0"): []byte("w")})
	inner := x.Config.Handler
	x.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, password, ok := r.BasicAuth(); !ok || name != "ann" || password != "s3:cret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		inner.ServeHTTP(w, r)
	})
	netrc := filepath.Join(t.TempDir(), "netrc")
	if err := os.WriteFile(netrc, []byte("# mine\nmachine 127.0.0.1\n  login ann password s3:cret\nmacdef init\nmachine x\n\ndefault login nobody\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	host := strings.TrimPrefix(x.URL, "http://")
	for name, config := range map[string]pyindex.Config{
		"address": {Indexes: []string{"http://ann:s3%3Acret@" + host + "/simple/"}},
		"netrc":   {Indexes: []string{x.URL + "/simple/"}, Netrc: netrc},
	} {
		config.Timeout = time.Second
		c, err := pyindex.NewClient(config)
		if err != nil {
			t.Fatal(err)
		}
		f, err := c.Find(context.Background(), want(t, "openfisca-demo"))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := c.Download(context.Background(), f, "", new(bytes.Buffer), nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, address := range []string{"http://ann:wrong-s3cret@" + host + "/simple/", "http://ann:wrong-s3cret@127.0.0.1:1/simple/"} {
		c, err := pyindex.NewClient(pyindex.Config{Indexes: []string{address}, Timeout: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Find(context.Background(), want(t, "openfisca-demo"))
		if err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%v", err)
		}
	}
}

func TestAddresses(t *testing.T) {
	for address, says := range map[string]string{
		"": "no package index is configured: set PIP_INDEX_URL", "http://example.org/simple": "plain HTTP", "ftp://example.org/": "over https", "simple": "not the address",
	} {
		config := pyindex.Config{Timeout: time.Second}
		if address != "" {
			config.Indexes = []string{address}
		}
		if _, err := pyindex.NewClient(config); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := pyindex.NewClient(pyindex.Config{Indexes: []string{"http://example.org/simple"}, TrustedHosts: []string{"example.org"}}); err != nil {
		t.Error(err)
	}
}

// TestTLS: an authority of its own needs cert, or the host must be trusted by name.
func TestTLS(t *testing.T) {
	x := newIndex(t, "json", map[string][]byte{wheel("1.0"): []byte("w")})
	s := httptest.NewUnstartedServer(x.Config.Handler)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	authority := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(authority, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		config pyindex.Config
		ok     bool
	}{
		"stranger": {pyindex.Config{}, false},
		"trusted":  {pyindex.Config{TrustedHosts: []string{"127.0.0.1"}}, true},
		"known":    {pyindex.Config{Cert: authority}, true},
	} {
		c.config.Indexes, c.config.Timeout = []string{s.URL + "/simple"}, 5*time.Second
		client, err := pyindex.NewClient(c.config)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.Find(context.Background(), want(t, "openfisca-demo")); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := pyindex.NewClient(pyindex.Config{Indexes: []string{s.URL}, Cert: "/nowhere"}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("cert: %v", err)
	}
}
