package db

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"edict/platform/db/pgtest"
	"edict/platform/fault"
)

func TestTranslate(t *testing.T) {
	for _, test := range []struct{ from, want string }{
		{"SELECT a FROM t WHERE b = ? AND c = ?", "SELECT a FROM t WHERE b = $1 AND c = $2"},
		{"SELECT ?2, ?1, '?' FROM t LIMIT +?3 OFFSET +?4", "SELECT $2, $1, '?' FROM t LIMIT $3 OFFSET $4"},
		{"SELECT 1 FROM t WHERE a IN (SELECT value FROM json_each(?)) AND b = ?", "SELECT 1 FROM t WHERE a = ANY($1) AND b = $2"},
		{"SELECT 1 FROM a CROSS JOIN b ON b.x = a.x LIMIT -1 OFFSET +?", "SELECT 1 FROM a JOIN b ON b.x = a.x LIMIT ALL OFFSET $1"},
		{"UPDATE t SET a = x'7b7d'", `UPDATE t SET a = '\x7b7d'`},
	} {
		if got := translate(test.from); got != test.want {
			t.Errorf("%s\nbecame %s\nwant   %s", test.from, got, test.want)
		}
	}
}

func TestManyRows(t *testing.T) {
	types := []uint32{oidInt8, oidBytes}
	for _, test := range []struct {
		from, want string
		keys       []int
	}{
		{"INSERT INTO item (at, device, content) VALUES ($1, '', $2)", "INSERT INTO item (at, device, content) SELECT v.p1, '', v.p2 FROM unnest($1::bigint[], $2::bytea[]) AS v (p1, p2)", nil},
		{
			"INSERT INTO t (a, b) VALUES ($1, $2)\n\tON CONFLICT (a) DO UPDATE SET b = excluded.b",
			"INSERT INTO t (a, b) SELECT v.p1, v.p2 FROM unnest($1::bigint[], $2::bytea[]) AS v (p1, p2) ON CONFLICT (a) DO UPDATE SET b = excluded.b", []int{0},
		},
	} {
		got := insertionOf(test.from, types)
		if got == nil || got.many != test.want || !slices.Equal(got.keys, test.keys) {
			t.Errorf("%s became %+v, want %s", test.from, got, test.want)
		}
	}
	for _, text := range []string{
		"INSERT INTO t (a, b) VALUES ($1, $2) ON CONFLICT (a) DO NOTHING", "INSERT INTO t (a, b) VALUES ($1, $2) RETURNING a", "UPDATE t SET a = $1, b = $2", "INSERT INTO t (a, b) SELECT $1, $2",
		"INSERT INTO t (a, b) VALUES ($1, $2) ON CONFLICT (a) DO UPDATE SET b = 1",                // the last row does not stand for all
		"INSERT INTO t (a, b) VALUES ($1, $2) ON CONFLICT (a) DO UPDATE SET b = t.b",              // the same
		"INSERT INTO t (a, b, c) VALUES ($1, $2, 3) ON CONFLICT (a) DO UPDATE SET b = excluded.b", // c stays that of the first
	} {
		if got := insertionOf(text, types); got != nil {
			t.Errorf("%s became %+v", text, got)
		}
	}
}

// TestPostgresReplaces has rows of one group be inserted and replaced, the same ones too: what comes last stands, as one after the other.
func TestPostgresReplaces(t *testing.T) {
	d := openRemote(t, pgtest.Address(t), Options{})
	const replaceNote = "INSERT INTO note (id, text, body) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET text = excluded.text, body = excluded.body"
	err := d.Write(t.Context(), func(tx *Tx) error {
		for _, put := range []struct {
			statement string
			id        int
			text      string
		}{
			{insertNote, 1, "a"}, {replaceNote, 1, "b"}, {replaceNote, 2, "c"}, {replaceNote, 1, "d"}, {insertNote, 3, "e"}, {replaceNote, 3, "f"}, {replaceNote, 2, "g"}, {insertNote, 4, "h"},
		} {
			if err := tx.Put(put.statement, put.id, put.text, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := d.Read(t.Context()).Query("SELECT text FROM note ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var got []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		got = append(got, text)
	}
	if want := []string{"d", "g", "f", "h"}; rows.Err() != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, rows.Err(), want)
	}
}

func FuzzMark(f *testing.F) {
	for _, s := range []string{"", "plain", "a\x00b", "\xff\xfe", marker, marker + "00", "é" + marker + "--"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		marked := mark(s)
		if strings.IndexByte(marked, 0) >= 0 || !utf8.ValidString(marked) {
			t.Errorf("PostgreSQL refuses %q", marked)
		}
		if back := unmark(marked); back != s {
			t.Errorf("%q came back as %q", s, back)
		}
		_ = unmark(s) // whatever the database holds
	})
}

// remoteNotes is a table to write.
func remoteNotes() Migrations {
	return Migrations{Component: "notes", Files: fstest.MapFS{"schema/postgres/1_notes.sql": {
		Data: []byte(`CREATE TABLE note (id bigint PRIMARY KEY, text text COLLATE "C" NOT NULL, body bytea, flag bigint NOT NULL DEFAULT 0)`),
	}}}
}

func openRemote(t testing.TB, address string, o Options) *DB {
	t.Helper()
	o.Logger = slog.New(slog.DiscardHandler)
	d, err := OpenPostgres(t.Context(), address, o, remoteNotes())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

const insertNote = "INSERT INTO note (id, text, body) VALUES (?, ?, ?)"

func countNotes(t testing.TB, d *DB) (n int) {
	t.Helper()
	if err := d.Read(t.Context()).QueryRow("SELECT count(*) FROM note").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestPostgresWrites(t *testing.T) {
	d := openRemote(t, pgtest.Address(t), Options{})
	refused := errors.New("refused")
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			var after atomic.Int64
			err := d.Write(t.Context(), func(tx *Tx) error {
				tx.AfterCommit(func() { after.Add(1) })
				if err := tx.Put(insertNote, i, "a\x00\xff"+marker, []byte{0, 1}); err != nil {
					return err
				}
				switch i % 10 {
				case 3:
					return refused
				case 4: // a statement that fails takes the transaction with it, and the error may be kept from us
					_, _ = tx.Exec(insertNote, i, "again", nil)
				case 5:
					return tx.Put(insertNote, i, "again", nil)
				case 6:
					var n int
					return tx.QueryRow("SELECT count(*) FROM note WHERE id = ? AND flag = ?", i, false).Scan(&n)
				}
				return nil
			})
			fails := i%10 >= 3 && i%10 <= 5
			if fails != (err != nil) || i%10 == 3 && !errors.Is(err, refused) || fails == (after.Load() == 1) {
				t.Errorf("write %d: %v, %d after the commit", i, err, after.Load())
			}
		})
	}
	wg.Wait()
	if n := countNotes(t, d); n != 70 {
		t.Errorf("%d notes, want 70", n)
	}
	err := d.Snapshot(t.Context(), func(q Queryer) error {
		rows, err := q.Query("SELECT id, text, body FROM note WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT +?", "[1,2,13,20]", 10)
		if err != nil {
			return err
		}
		defer rows.Close()
		for _, want := range []int64{1, 2, 20} {
			var id, same int64
			var text string
			var body []byte
			if !rows.Next() {
				t.Fatalf("no row %d: %v", want, rows.Err())
			}
			if err := rows.Scan(&id, &text, &body); err != nil || id != want || text != "a\x00\xff"+marker || string(body) != "\x00\x01" {
				t.Errorf("%d %q %q, %v", id, text, body, err)
			}
			// Another statement while rows are being read.
			if err := q.QueryRow("SELECT id FROM note WHERE id = ?", id).Scan(&same); err != nil || same != id {
				t.Errorf("%d, %v", same, err)
			}
		}
		if rows.Next() {
			t.Error("a row too many")
		}
		return rows.Err()
	})
	if err != nil {
		t.Error(err)
	}
}

// TestLostAnswer loses the answer to COMMIT: the write is there, and is told so.
func TestLostAnswer(t *testing.T) {
	proxy := pgtest.NewProxy(t, pgtest.Address(t))
	d := openRemote(t, proxy.Address, Options{})
	for i := range 5 {
		proxy.LoseAnswer("COMMIT", nil)
		after := 0
		err := d.Write(t.Context(), func(tx *Tx) error {
			tx.AfterCommit(func() { after++ })
			return tx.Put(insertNote, i, "", nil)
		})
		if err != nil || after != 1 {
			t.Errorf("write %d: %v, %d after the commit", i, err, after)
		}
	}
	if n := countNotes(t, d); n != 5 {
		t.Errorf("%d notes, want 5", n)
	}
}

// TestUnknownCommit loses the answer and everything after it: the caller is told that nobody knows, and once PostgreSQL is back, what comes
// after a commit is made up for.
func TestUnknownCommit(t *testing.T) {
	t.Parallel()
	proxy := pgtest.NewProxy(t, pgtest.Address(t))
	d := openRemote(t, proxy.Address, Options{})
	after := make(chan int, 2)
	put := func(id int) error {
		return d.Write(t.Context(), func(tx *Tx) error {
			tx.AfterCommit(func() { after <- id })
			return tx.Put(insertNote, id, "", nil)
		})
	}
	proxy.LoseAnswer("COMMIT", func() { proxy.Refuse(true) })
	if err := put(1); fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "may or may not have happened") {
		t.Fatalf("%v", err)
	}
	if err := put(2); fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "nothing was changed") || d.Healthy() == nil {
		t.Fatalf("%v", err)
	}
	if err := d.Read(t.Context()).QueryRow("SELECT 1").Scan(new(int)); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("reading: %v", err)
	}
	proxy.Refuse(false)
	if id := <-after; id != 1 { // by the probe
		t.Errorf("after the commit of %d", id)
	}
	for end := time.Now().Add(time.Minute); d.Healthy() != nil && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond) // the probe tells nobody
	}
	if err := put(3); err != nil || <-after != 3 {
		t.Errorf("%v", err)
	}
	if n := countNotes(t, d); n != 2 {
		t.Errorf("%d notes, want 2", n)
	}
}

// TestEndedSession ends the writer's session in the middle of a transaction: nothing of it is there, and the next one works.
func TestEndedSession(t *testing.T) {
	address := pgtest.Address(t)
	d := openRemote(t, address, Options{})
	other := openRemote(t, address, Options{Tool: true})
	err := d.Write(t.Context(), func(tx *Tx) error {
		var pid int64
		if err := tx.QueryRow("SELECT pg_backend_pid()").Scan(&pid); err != nil {
			return err
		}
		if err := tx.Put(insertNote, 1, "", nil); err != nil {
			return err
		}
		return other.Read(context.Background()).QueryRow("SELECT pg_terminate_backend(?)", pid).Scan(new(bool))
	})
	if fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "nothing was changed") {
		t.Errorf("%v", err)
	}
	for end := time.Now().Add(time.Minute); d.Healthy() != nil && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	if err := d.Write(t.Context(), func(tx *Tx) error { return tx.Put(insertNote, 2, "", nil) }); err != nil {
		t.Error(err)
	}
	if n := countNotes(t, d); n != 1 {
		t.Errorf("%d notes, want 1", n)
	}
}

// TestNodeNames has servers share a database: with names of their own, and with a tool that would migrate kept away.
func TestNodeNames(t *testing.T) {
	t.Parallel()
	address := pgtest.Address(t)
	d := openRemote(t, address, Options{Node: "a"})
	other := openRemote(t, address, Options{Node: "b"})
	newer := remoteNotes()
	newer.Files.(fstest.MapFS)["schema/postgres/2_more.sql"] = &fstest.MapFile{Data: []byte("CREATE TABLE more (id bigint)")}
	if _, err := OpenPostgres(t.Context(), address, Options{Tool: true}, newer); fault.KindOf(err) != fault.Conflict || !strings.Contains(err.Error(), "a running server prevents") {
		t.Errorf("a newer tool: %v", err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	again := openRemote(t, address, Options{Node: "a"}) // the name is free at once
	if again.Epoch() != other.Epoch() {
		t.Errorf("epochs %s and %s", again.Epoch(), other.Epoch())
	}
	if _, err := OpenPostgres(t.Context(), address, Options{Node: "b", Logger: slog.New(slog.DiscardHandler)}, remoteNotes()); fault.KindOf(err) != fault.Conflict || !strings.Contains(err.Error(), "named b") {
		t.Errorf("a second b: %v", err)
	}
}

func TestPostgresRefused(t *testing.T) {
	address := pgtest.Address(t)
	with := func(option string) string {
		return strings.Replace(address, "options=", "options=-c"+strings.Replace(option, "=", "%3D", 1)+"%20", 1)
	}
	for _, test := range []struct {
		name, address string
		opts          Options
		want          string
	}{
		{"no address", "sqlite://x", Options{}, "no address of PostgreSQL"},
		{"unknown database", strings.Replace(address, "/postgres?", "/nowhere?", 1), Options{}, "refused the connection"},
		{"nobody there", "postgres://127.0.0.1:1/postgres", Options{Wait: time.Millisecond}, "cannot be reached"},
		{"asynchronous", with("synchronous_commit=off"), Options{}, "synchronous_commit off"},
		{"local", with("synchronous_commit=local"), Options{}, "synchronous_commit local"},
		{"no standby", address, Options{Standby: RequireStandby}, "no synchronous standby"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.opts.Logger = slog.New(slog.DiscardHandler)
			if d, err := OpenPostgres(t.Context(), test.address, test.opts, remoteNotes()); err == nil || !strings.Contains(err.Error(), test.want) {
				if d != nil {
					d.Close()
				}
				t.Errorf("%v; want %q", err, test.want)
			}
		})
	}
}

func TestPostgresState(t *testing.T) {
	for _, test := range []struct {
		change func(*pgState)
		want   string
	}{
		{func(*pgState) {}, ""},
		{func(s *pgState) { s.version = 130012 }, "older than PostgreSQL 14"},
		{func(s *pgState) { s.fsync = "off" }, "fsync off"},
		{func(s *pgState) { s.pages = "off" }, "full_page_writes off"},
		{func(s *pgState) { s.recovery = true }, "is a standby"},
		{func(s *pgState) { s.encoding = "SQL_ASCII" }, "encoding SQL_ASCII"},
		{func(s *pgState) { s.pid = 8 }, "connection pooler"},
	} {
		s := pgState{version: 140000, fsync: "on", pages: "on", commits: "on", encoding: "UTF8", pid: 7}
		test.change(&s)
		if got := s.refusal(7); (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
