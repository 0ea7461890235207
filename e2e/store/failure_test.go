package store_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"edict/cli"
	"edict/e2e"
	"edict/platform/db/faultfs"
)

// TestDiskFails takes the disk away under the whole server: a publish is refused with 503 and what to do, reading and open
// streams go on, readiness says no, and all of it ends by itself when the disk is back. Then the power is cut.
func TestDiskFails(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ fail, mend func(*faultfs.Dir) }{
		"fsync": {func(f *faultfs.Dir) { f.FailSync(true) }, func(f *faultfs.Dir) { f.FailSync(false) }},
		"full":  {func(f *faultfs.Dir) { f.Room(1000) }, func(f *faultfs.Dir) { f.Room(-1) }},
		"torn":  {func(f *faultfs.Dir) { f.TearAfter(5000) }, func(f *faultfs.Dir) { f.TearAfter(-1) }},
	} {
		t.Run(name, func(t *testing.T) {
			server, files := startShaky(t)
			token := e2e.Tokens(server.Data)(t, "alice")
			c := e2e.NewClient(t, server.URL, token)
			c.Must("POST", "/channels", `{"channelName":"news"}`)
			acked := []string{e2e.MessageID(c.Must("POST", "/channels/news/items", `{"content":{"n":1}}`))}
			stream := e2e.OpenStream(t, server.URL+e2e.MessageAPI+"/events", token)
			stream.Until("event: ready")

			test.fail(files)
			refused(t, c)
			if there := c.Items("news"); !slices.Equal(there, acked) {
				t.Errorf("while the disk fails %v can be read, want %v", there, acked)
			}
			e2e.AwaitStatus(t, server.URL+"/readyz", http.StatusServiceUnavailable)
			test.mend(files)
			e2e.AwaitStatus(t, server.URL+"/readyz", http.StatusOK)
			acked = append(acked, e2e.MessageID(c.Must("POST", "/channels/news/items", `{"content":{"n":2}}`)))
			if data := stream.Until("data: {\"channelName\""); !strings.Contains(data, acked[1]) {
				t.Errorf("the stream that was open all the time got %s", data)
			}

			left := filepath.Join(t.TempDir(), "left")
			if err := files.Cut(rand.New(rand.NewPCG(rand.Uint64(), 0)), left); err != nil {
				t.Fatal(err)
			}
			again := e2e.Start(t, e2e.Options{Configure: func(cfg *cli.Config) { cfg.Server.Data = left }})
			if there := e2e.NewClient(t, again.URL, token).Items("news"); !slices.Equal(there, acked) {
				t.Errorf("after the power cut %v are there, want %v", there, acked)
			}
		})
	}
}

// startShaky starts a server on files that fail when they are told to.
func startShaky(t *testing.T) (*e2e.Server, *faultfs.Dir) {
	t.Helper()
	var files *faultfs.Dir
	server := e2e.Start(t, e2e.Options{MayFail: true, Configure: func(cfg *cli.Config) {
		if err := os.MkdirAll(cfg.Server.Data, 0o700); err != nil {
			t.Fatal(err)
		}
		var err error
		if files, err = faultfs.Watch(cfg.Server.Data); err != nil {
			t.Fatal(err)
		}
	}})
	t.Cleanup(files.Close)
	return server, files
}

// refused publishes, and looks at how the server says that it cannot.
func refused(t *testing.T, c *e2e.Client) {
	t.Helper()
	request, err := http.NewRequest("POST", c.Base+"/channels/news/items", strings.NewReader(fmt.Sprintf(`{"content":{"pad":"%s"}}`, strings.Repeat("x", 9000))))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+c.Token)
	request.Header.Set("Content-Type", "application/json")
	response, err := c.HTTP.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusServiceUnavailable || response.Header.Get("Retry-After") == "" {
		t.Errorf("answered %s, Retry-After %q", response.Status, response.Header.Get("Retry-After"))
	}
	for _, part := range []string{`"code":77`, `"status":"ERROR"`, "try again later"} {
		if !strings.Contains(string(body), part) {
			t.Errorf("the answer %s lacks %s", body, part)
		}
	}
}
