package objectstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"edict/simulation/population"
)

// briefly is how long a store may be silent in these tests: longer than a busy machine takes for an answer of its own.
const briefly = 500 * time.Millisecond

// storageAt is a storage whose store is at an address.
func storageAt(t *testing.T, url string) *Storage {
	t.Helper()
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": url, "AWS_ENDPOINT_URL_S3": "", "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1",
	} {
		t.Setenv(name, value)
	}
	return &Storage{Beside: population.Directories{}, patience: briefly}
}

// wantSilent checks that an error names the store and the object, and what happened.
func wantSilent(t *testing.T, err error, url, name string) {
	t.Helper()
	if err == nil || !strings.HasPrefix(err.Error(), name+": ") || !strings.Contains(err.Error(), "object store at "+url+" was silent for 500ms") || errors.Is(err, context.Canceled) {
		t.Errorf("%v\nwant an error that names %s and %s, and says that the store was silent", err, name, url)
	}
}

// TestSilentStore: a store that accepts connections and says nothing is given up, whatever is asked of it.
func TestSilentStore(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") // the system accepts connections; nobody answers
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	url := "http://" + listener.Addr().String()
	s := storageAt(t, url)
	_, err = s.Open(t.Context(), "s3://edict/persons.csv")
	wantSilent(t, err, url, "s3://edict/persons.csv")
	_, err = s.Create(t.Context(), "s3://edict/out.csv")
	wantSilent(t, err, url, "s3://edict/out.csv")
	_, err = s.List(t.Context(), "s3://edict/parts")
	wantSilent(t, err, url, "s3://edict/parts")

	interrupted, stop := context.WithCancel(t.Context())
	stop()
	if _, err := s.Open(interrupted, "s3://edict/persons.csv"); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// TestStoreFallsSilent: a store that says nothing any more in the middle of a file that is read, or of one that is written, is given up. When it
// answers again, it is told to forget what was written.
func TestStoreFallsSilent(t *testing.T) {
	const size = 1000
	var aborted atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		switch {
		case r.Method == http.MethodHead:
			w.Header().Set("Etag", `"1"`)
			w.Header().Set("Last-Modified", time.Unix(0, 0).UTC().Format(http.TimeFormat))
			w.Header().Set("Content-Length", strconv.Itoa(size))
		case r.Method == http.MethodGet:
			w.Header().Set("Etag", `"1"`)
			w.Header().Set("Last-Modified", time.Unix(0, 0).UTC().Format(http.TimeFormat))
			w.Header().Set("Content-Length", strconv.Itoa(size))
			w.WriteHeader(http.StatusPartialContent)
			_, _ = io.WriteString(w, strings.Repeat("x", size/2))
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		case r.Method == http.MethodPost && query.Has("uploads"):
			fmt.Fprint(w, `<InitiateMultipartUploadResult><Bucket>edict</Bucket><Key>out.csv</Key><UploadId>7</UploadId></InitiateMultipartUploadResult>`)
		case r.Method == http.MethodDelete && query.Get("uploadId") == "7":
			aborted.Add(1)
			w.WriteHeader(http.StatusNoContent)
		default: // a part, or the end of the upload
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		}
	}))
	defer server.Close()
	s := storageAt(t, server.URL)
	o, err := s.Open(t.Context(), "s3://edict/persons.csv")
	if err != nil {
		t.Fatal(err)
	}
	_, err = o.ReadAt(make([]byte, size), 0)
	wantSilent(t, err, server.URL, "s3://edict/persons.csv")

	d, err := s.Create(t.Context(), "s3://edict/out.csv")
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Write(make([]byte, partSize))
	wantSilent(t, err, server.URL, "s3://edict/out.csv")
	wantSilent(t, d.Commit(), server.URL, "s3://edict/out.csv")
	d.Discard()
	if n := aborted.Load(); n != 1 {
		t.Errorf("the upload was given up %d times", n)
	}
}

// TestWatch: what moves for the first time is progress, what is sent once more at another try is none.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &store{address: "https://s3.example.org", patience: silence}
		ctx, done := s.watch(t.Context())
		defer done()
		w := ctx.Value(watchKey{}).(*watch)
		const nearly = silence - time.Second
		for _, step := range []func(){w.moved, func() { w.accepted(100) }, func() { w.accepted(200) }} {
			time.Sleep(nearly)
			step()
		}
		time.Sleep(nearly)
		w.accepted(200) // at the next try
		if ctx.Err() != nil {
			t.Error("given up although it moved")
		}
		time.Sleep(time.Second)
		synctest.Wait()
		want := "the object store at https://s3.example.org was silent for 2m0s: see whether it runs and AWS_ENDPOINT_URL is its address, then begin again"
		if cause := context.Cause(ctx); cause == nil || cause.Error() != want {
			t.Errorf("given up with %v, want %s", cause, want)
		}
	})
}
