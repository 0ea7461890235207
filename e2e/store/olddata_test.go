package store_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"edict/cli"
	"edict/e2e"
)

// oldDataAt is an hour after the data was made: what expires has not expired then.
var oldDataAt = time.Date(2026, 11, 16, 14, 0, 0, 0, time.UTC)

// TestOldData opens data directories that older programs made, the first one among them. All of them got the same requests, so all of
// them have to show the same.
func TestOldData(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/olddata/*.db.gz")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".db.gz")
		t.Run(name, func(t *testing.T) {
			e2e.RunGolden(t, "testdata/olddata/"+goldenOf(name)+".txtar", func(t *testing.T) e2e.Golden { return startOld(t, file) })
		})
	}
}

// goldenOf names what data has to show: the newest has more in it.
func goldenOf(name string) string {
	if name == "reading" {
		return name
	}
	return "old"
}

// startOld starts a server on the data of an older one, an hour later.
func startOld(t *testing.T, file string) e2e.Golden {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	unpack(t, file, data)
	return serveOld(t, data)
}

// serveOld starts a server, an hour after the data was made, on a store that holds it.
func serveOld(t *testing.T, place string) e2e.Golden {
	t.Helper()
	now := func() time.Time { return oldDataAt }
	where := []string{"--data", place}
	if isAddress(place) {
		where = []string{"--store", place}
	}
	server := e2e.Start(t, e2e.Options{Now: now, Configure: func(c *cli.Config) {
		if c.Server.Only, c.Push.Services = "messaging", nil; isAddress(place) {
			c.Server.Store = place
		} else {
			c.Server.Data = place
		}
	}})
	return e2e.Golden{URL: server.URL, Token: func(t testing.TB, user string) string {
		var stdout bytes.Buffer
		env := &cli.Env{Stdin: new(bytes.Reader), Stdout: &stdout, Stderr: t.Output(), Now: now}
		if status := cli.Run(t.Context(), append([]string{"token", "create", "--user", user}, where...), env); status != 0 {
			t.Fatalf("token create: exit status %d", status)
		}
		return strings.TrimSpace(stdout.String())
	}}
}

// unpack makes a data directory of a file.
func unpack(t *testing.T, file, dir string) {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	r, err := gzip.NewReader(in)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "edict.db"), text, 0o600); err != nil {
		t.Fatal(err)
	}
}
