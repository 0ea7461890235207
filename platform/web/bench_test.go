package web_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"edict/platform/web"
)

// publish has the shape and size of a publish: the hot path of the binary.
const publish = `{"messageType":"text","contentType":"application/json","content":{"text":"The quick brown fox jumps over the lazy dog","sequence":123456,"temperature":21.5,"tags":["one","two","three"],"nested":{"a":true,"b":null,"c":"d"},"more":"Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod"}}`

type publishBody struct {
	MessageType string          `json:"messageType"`
	ContentType string          `json:"contentType"`
	Content     json.RawMessage `json:"content"`
}

// discard is a ResponseWriter that costs nothing, so that what is measured is the chain.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) WriteHeader(int)             {}
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }

func benchServer(b *testing.B, access web.AccessLog) *web.Server {
	answer := json.RawMessage(`{"message":"Successfully published message","status":"OK","messageId":"01JCS0000000000000"}`)
	handle := func(w http.ResponseWriter, r *http.Request) error {
		var v publishBody
		if err := web.ReadJSON(r, &v); err != nil {
			return err
		}
		return web.WriteRaw(w, http.StatusCreated, answer)
	}
	s, err := web.New(web.Options{
		Listen: "127.0.0.1:0", AccessLog: access, Logger: slog.New(slog.DiscardHandler), Authenticator: tokens{"good": {UserID: "u1"}},
	}, web.Service{Name: "m", Prefixes: []string{"/message/api/v2"}, Routes: []web.Route{
		{Method: "POST", Path: "/message/api/v2/channels/{channel}/publish", Policy: web.Authenticated, Handle: handle, Doc: bodyDoc("Publish")},
		{Method: "POST", Path: "/message/api/v2/bare", Policy: web.Authenticated, Handle: func(w http.ResponseWriter, _ *http.Request) error {
			w.WriteHeader(http.StatusNoContent)
			return nil
		}, Doc: doc("Nothing")},
	}})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// BenchmarkChain measures the complete handler without the network: "bare" is the chain alone,
// "publish" adds reading and writing JSON, "logged" one log line per request.
func BenchmarkChain(b *testing.B) {
	cases := []struct {
		name, path, encoding string
		access               web.AccessLog
	}{
		{"bare", "/message/api/v2/bare", "", web.LogFailures},
		{"publish", "/message/api/v2/channels/u1%23news/publish", "", web.LogFailures},
		{"gzip", "/message/api/v2/channels/u1%23news/publish", "gzip", web.LogFailures},
		{"logged", "/message/api/v2/channels/u1%23news/publish", "", web.LogAll},
	}
	for _, c := range cases {
		b.Run(c.name, func(b *testing.B) {
			s := benchServer(b, c.access)
			request := httptest.NewRequest("POST", c.path, nil)
			request.Header.Set("Authorization", "Bearer good")
			request.Header.Set("Content-Type", "application/json")
			if c.encoding != "" {
				request.Header.Set("Accept-Encoding", c.encoding)
			}
			request.ContentLength = int64(len(publish))
			w := &discard{header: http.Header{}}
			body := strings.NewReader(publish)
			content := io.NopCloser(body)
			b.ReportAllocs()
			for b.Loop() {
				body.Reset(publish)
				request.Body = content
				clear(w.header)
				s.ServeHTTP(w, request)
			}
		})
	}
}

// BenchmarkLoopback is a publish over a kept-alive connection, client included.
func BenchmarkLoopback(b *testing.B) {
	s := benchServer(b, web.LogFailures)
	addr, err := s.Listen(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	go func() { _ = s.Serve() }()
	defer func() { _ = s.Shutdown(b.Context()) }()
	url := "http://" + addr.String() + "/message/api/v2/channels/u1%23news/publish"
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	b.ReportAllocs()
	for b.Loop() {
		r, _ := http.NewRequestWithContext(b.Context(), "POST", url, strings.NewReader(publish))
		r.Header.Set("Authorization", "Bearer good")
		r.Header.Set("Content-Type", "application/json")
		resp, err := client.Do(r)
		if err != nil {
			b.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusCreated {
			b.Fatal(resp.Status)
		}
	}
}
