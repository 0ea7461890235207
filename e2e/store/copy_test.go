package store_test

import (
	"bytes"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"edict/cli"
	"edict/e2e"
	"edict/platform/db"
	"edict/platform/db/pgtest"
)

// isAddress tells an address of PostgreSQL from a data directory.
func isAddress(place string) bool { return strings.HasPrefix(place, "postgres:") }

// startOn starts a server on a store.
func startOn(t *testing.T, place string) *e2e.Server {
	t.Helper()
	return e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) {
		if c.Server.Only = "messaging"; isAddress(place) {
			c.Server.Store = place
		} else {
			c.Server.Data = place
		}
	}})
}

// copyStore runs "edict store copy" and returns its status and what it said.
func copyStore(t *testing.T, from, to string) (status int, said string) {
	t.Helper()
	var stderr bytes.Buffer
	env := &cli.Env{Stdin: new(bytes.Reader), Stdout: io.Discard, Stderr: &stderr, Now: time.Now}
	status = cli.Run(t.Context(), []string{"store", "copy", from, to}, env)
	return status, stderr.String()
}

func mustCopy(t *testing.T, from, to string) {
	t.Helper()
	if status, said := copyStore(t, from, to); status != 0 || !strings.Contains(said, "now holds the users and messages of") {
		t.Fatalf("copying ended with status %d: %s", status, said)
	}
}

// TestStoreCopy takes the data of a server to PostgreSQL and back. A token and a cursor of the beginning stay good all the way, a stream resumes
// where it was, and every row is what it was.
func TestStoreCopy(t *testing.T) {
	t.Parallel()
	address := pgtest.Address(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Only = "messaging" }})
	tokens := e2e.Tokens(server.Data)
	ann, bob := tokens(t, "ann"), tokens(t, "bob")
	c := e2e.NewClient(t, server.URL, ann)
	c.Must("POST", "/channels", `{"channelName":"news","description":"Straße"}`)
	e2e.NewClient(t, server.URL, bob).Must("PUT", "/channels/news/subscribe", "")
	stream := e2e.OpenStream(t, server.URL+e2e.MessageAPI+"/events", bob)
	stream.Until("event: ready")
	var ids []string
	publish := func() {
		ids = append(ids, e2e.MessageID(c.Must("POST", "/channels/news/items", fmt.Sprintf(`{"content":{"n":%d}}`, len(ids)))))
	}
	publish()
	stream.Until("event: item")
	cursor := stream.Until("id: ")
	stream.Body.Close()
	publish()
	publish()
	if status, said := copyStore(t, server.Data, address); status != 1 || !strings.Contains(said, "in use by another edict server") {
		t.Errorf("a copy of a running server ended with status %d: %s", status, said)
	}
	back := filepath.Join(t.TempDir(), "back")
	places := []string{server.Data, address, back}
	for i, to := range places[1:] {
		if err := server.Stop(); err != nil {
			t.Fatal(err)
		}
		mustCopy(t, places[i], to)
		sameRows(t, places[0], places[i], to)
		server = startOn(t, to)
		c = e2e.NewClient(t, server.URL, ann)
		publish()
		stream := e2e.OpenStream(t, server.URL+e2e.MessageAPI+"/events?cursor="+url.QueryEscape(cursor), bob)
		for _, id := range ids[1:] {
			if data := stream.Until(`data: {"channelName"`); !strings.Contains(data, id) {
				t.Fatalf("on %s the stream got %s, want %s", to, data, id)
			}
		}
		stream.Body.Close()
		if there := c.Items("news"); !slices.Equal(there, ids) {
			t.Errorf("on %s there is %v, want %v", to, there, ids)
		}
		if found := c.Must("GET", "/channels?description=stras", ""); !strings.Contains(found, `"total":0`) {
			t.Errorf("on %s: %s", to, found)
		}
		if found := c.Must("GET", "/channels?description=TRA%C3%9F", ""); !strings.Contains(found, `"total":1`) {
			t.Errorf("on %s a channel is not found by its text: %s", to, found)
		}
	}
	if status, said := copyStore(t, address, back); status != 1 || !strings.Contains(said, "in use by another edict server") {
		t.Errorf("a copy to where a server runs ended with status %d: %s", status, said)
	}
}

// TestStoreCopyOldData copies data in which there is something of everything, made by older programs, and holds it against what they have to
// show, in PostgreSQL and back in a directory.
func TestStoreCopyOldData(t *testing.T) {
	t.Parallel()
	pgtest.Server(t)
	for _, name := range []string{"first", "reading"} {
		for _, kind := range []string{"postgres", "back"} {
			t.Run(name+" "+kind, func(t *testing.T) {
				e2e.RunGolden(t, "testdata/olddata/"+goldenOf(name)+".txtar", func(t *testing.T) e2e.Golden {
					data, place := filepath.Join(t.TempDir(), "data"), pgtest.Address(t)
					unpack(t, "testdata/olddata/"+name+".db.gz", data)
					mustCopy(t, data, place)
					if kind == "back" {
						from := place
						place = filepath.Join(t.TempDir(), "back")
						mustCopy(t, from, place)
					}
					sameRows(t, data, data, place)
					return serveOld(t, place)
				})
			})
		}
	}
}

func TestStoreCopyRefused(t *testing.T) {
	t.Parallel()
	address, data, full := pgtest.Address(t), filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "full")
	unpack(t, "testdata/olddata/reading.db.gz", data)
	unpack(t, "testdata/olddata/reading.db.gz", full)
	mustCopy(t, data, address)
	broken := filepath.Join(t.TempDir(), "broken")
	unpack(t, "testdata/olddata/reading.db.gz", broken)
	file := filepath.Join(broken, db.FileName)
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for at := len(raw) / 2; at < len(raw); at += 4096 {
		copy(raw[at:], strings.Repeat("broken", 100))
	}
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	fresh := filepath.Join(t.TempDir(), "fresh")
	for _, test := range []struct{ from, to, want string }{
		{data, address, "is not empty"},
		{data, full, "holds data already"},
		{address, full, "holds data already"},
		{data, data, "onto itself"},
		{filepath.Join(t.TempDir(), "nothing"), address, "there is no data in"},
		{broken, fresh, "malformed"},
		{broken, pgtest.Address(t), "malformed"},
		{data, "postgres://127.0.0.1:1/none", "cannot be reached"},
		{data, "postgres://nobody:hunter2@" + strings.TrimPrefix(pgtest.NewProxy(t, address).Address, "postgres://")[:15] + "/none", ""},
	} {
		status, said := copyStore(t, test.from, test.to)
		if status != 1 || !strings.Contains(said, test.want) || strings.Contains(said, "hunter2") {
			t.Errorf("copying ended with status %d: %s; want %q", status, said, test.want)
		}
	}
	if _, err := os.Lstat(fresh); err == nil {
		t.Error("a copy that failed left a directory")
	}
}

// sameRows compares two stores row by row, in the tables of the data directory model.
func sameRows(t *testing.T, model, a, b string) {
	t.Helper()
	tables := rowsOf(t, model, []string{`SELECT t.name, group_concat(c.name, ', ') FROM pragma_table_list t JOIN pragma_table_info(t.name) c
		WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name <> 'edict_migration' GROUP BY t.name`})
	if len(tables) < 30 {
		t.Fatalf("only %d tables", len(tables))
	}
	var queries []string
	for _, row := range tables {
		name, columns, _ := strings.Cut(row, "|")
		query := "SELECT '" + name + "', " + strings.ReplaceAll(columns, "|", ", ") + " FROM " + name
		if name == "edict_meta" {
			query += " WHERE key = 'epoch'"
		}
		queries = append(queries, query)
	}
	if diff := cmp.Diff(rowsOf(t, a, queries), rowsOf(t, b, queries)); diff != "" {
		t.Errorf("%s and %s differ:\n%s", a, b, diff)
	}
}

// rowsOf returns the rows of queries as texts, in order.
func rowsOf(t *testing.T, place string, queries []string) (all []string) {
	t.Helper()
	open := db.Open
	if isAddress(place) {
		open = db.OpenPostgres
	}
	d, err := open(t.Context(), place, db.Options{Tool: true, Readers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, query := range queries {
		rows, err := d.Read(t.Context()).Query(query)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			values := make([]any, strings.Count(strings.Split(query, " FROM ")[0], ",")+1)
			if strings.Contains(query, "group_concat") {
				values = values[:2]
			}
			places := make([]any, len(values))
			for i := range values {
				places[i] = &values[i]
			}
			if err := rows.Scan(places...); err != nil {
				t.Fatal(query, err)
			}
			for i, v := range values {
				if b, ok := v.([]byte); ok {
					values[i] = fmt.Sprintf("%x bytes", b)
				}
			}
			all = append(all, strings.TrimSuffix(fmt.Sprintf(strings.Repeat("%v|", len(values)), values...), "|"))
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		rows.Close()
	}
	slices.Sort(all)
	return all
}
