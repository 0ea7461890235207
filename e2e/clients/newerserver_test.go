package clients_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
)

// currentAndNewer runs a test of a client against the server as it is, and against one of a later version: its answers have members and its streams have
// events that the client cannot know.
func currentAndNewer(t *testing.T, test func(t *testing.T, through func(url string) string)) {
	t.Run("now", func(t *testing.T) { test(t, func(url string) string { return url }) })
	t.Run("later", func(t *testing.T) {
		var added atomic.Int32
		test(t, func(url string) string { return newerServer(t, url, &added) })
		if added.Load() == 0 {
			t.Error("nothing was added to any answer")
		}
	})
}

// newerServer stands before a server and adds to what it answers.
func newerServer(t *testing.T, server string, added *atomic.Int32) string {
	t.Helper()
	target, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
		FlushInterval: -1,
		ModifyResponse: func(r *http.Response) error {
			switch kind := r.Header.Get("Content-Type"); {
			case strings.HasPrefix(kind, "text/event-stream"):
				added.Add(1)
				r.Body = newerStream(r.Body)
			case strings.HasPrefix(kind, "application/json") && !keyed(r.Request):
				added.Add(1)
				return newerAnswer(r)
			}
			return nil
		},
	}
	front := httptest.NewServer(proxy)
	t.Cleanup(front.Close)
	return front.URL
}

// keyed reports whether members of an answer are named by data: variables, ids of items.
func keyed(r *http.Request) bool {
	return r.URL.Path == "/calculate" || r.Method == http.MethodDelete && strings.HasSuffix(r.URL.Path, "/items")
}

func newerAnswer(r *http.Response) error {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	if text, err = withMore(text, !strings.HasPrefix(r.Request.URL.Path, "/api/")); err != nil {
		return err
	}
	r.Body = io.NopCloser(bytes.NewReader(text))
	r.ContentLength = int64(len(text))
	r.Header.Set("Content-Length", fmt.Sprint(len(text)))
	return nil
}

// newerStream adds to the data of every event, and an event of another kind behind it.
func newerStream(body io.ReadCloser) io.ReadCloser {
	out, in := io.Pipe()
	go func() {
		defer body.Close()
		lines := bufio.NewScanner(body)
		lines.Buffer(nil, 8<<20)
		event := false
		for lines.Scan() {
			line := lines.Text()
			if data, ok := strings.CutPrefix(line, "data: "); ok {
				if more, err := withMore([]byte(data), true); err == nil {
					line, event = "data: "+string(more), true
				}
			} else if line == "" && event {
				line, event = "\nlater: x\nevent: later\ndata: [1]\n", false
			}
			if _, err := io.WriteString(in, line+"\n"); err != nil {
				return
			}
		}
		in.CloseWithError(lines.Err())
	}()
	return out
}

// withMore adds a member to an object, or to the objects of a list; deep: to those within as well, but for what users wrote.
func withMore(text []byte, deep bool) ([]byte, error) {
	var members map[string]json.RawMessage
	var list []json.RawMessage
	switch {
	case json.Unmarshal(text, &members) == nil && members != nil:
		for name, value := range members {
			if deep && name != "content" && name != "metadata" {
				more, err := withMore(value, deep)
				if err != nil {
					return nil, err
				}
				members[name] = more
			}
		}
		members["later"] = json.RawMessage(`{"x":[1]}`)
		return json.Marshal(members)
	case json.Unmarshal(text, &list) == nil && list != nil:
		for i := range list {
			more, err := withMore(list[i], deep)
			if err != nil {
				return nil, err
			}
			list[i] = more
		}
		return json.Marshal(list)
	}
	return text, nil
}
