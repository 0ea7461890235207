package db

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"edict/platform/db/pgtest"
)

// told is what a node was told, and announced itself, in order.
type told struct {
	mu   sync.Mutex
	seen []string
	lost int
}

func (o *told) add(s string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seen = append(o.seen, s)
}

func (o *told) all() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.seen)
}

func (o *told) follow(d *DB) {
	d.Follow("note", func(bodies [][]byte) {
		for _, b := range bodies {
			o.add(string(b))
		}
	}, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.lost++
		o.seen = append(o.seen, "lost")
	})
}

// append writes the next note, and tells of it.
func (o *told) append(ctx context.Context, d *DB) error {
	return d.Write(ctx, func(tx *Tx) error {
		var n int
		if err := tx.QueryRow("SELECT count(*) FROM note").Scan(&n); err != nil {
			return err
		}
		text := strconv.Itoa(n)
		tx.Tell("note", []byte(text))
		tx.AfterCommit(func() { o.add(text) })
		return tx.Put(insertNote, n, "", nil)
	})
}

// TestNodesAgree has three nodes write at once: each is told of everything in the order of the commits, once.
func TestNodesAgree(t *testing.T) {
	address := pgtest.Address(t)
	const nodes, writes = 3, 60
	var all [nodes]*DB
	var seen [nodes]told
	for i := range all {
		all[i] = openRemote(t, address, Options{})
		seen[i].follow(all[i])
	}
	var wg sync.WaitGroup
	for i, d := range all {
		for range 2 {
			wg.Go(func() {
				for range writes / 2 {
					if err := seen[i].append(t.Context(), d); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
	}
	wg.Wait()
	var want []string
	for i := range nodes * writes {
		want = append(want, strconv.Itoa(i))
	}
	for i, d := range all {
		if err := d.CatchUp(t.Context()); err != nil {
			t.Error(err)
		}
		if got := seen[i].all(); !slices.Equal(got, want) || seen[i].lost != 0 {
			t.Errorf("node %d: %v, %d times lost", i, got, seen[i].lost)
		}
	}
}

// TestCatchUp holds that what was committed elsewhere is known here when CatchUp returns, and that a write that fails tells nobody.
func TestCatchUp(t *testing.T) {
	address := pgtest.Address(t)
	a, b := openRemote(t, address, Options{}), openRemote(t, address, Options{})
	tool := openRemote(t, address, Options{Tool: true})
	var seen told
	seen.follow(b)
	var want []string
	for i := range 30 {
		d := []*DB{a, tool}[i%2]
		text := fmt.Sprint(i)
		err := d.Write(t.Context(), func(tx *Tx) error {
			tx.Tell("note", []byte(text))
			tx.Tell("other", []byte{})
			if i%3 == 0 {
				return context.Canceled
			}
			return tx.Put(insertNote, i, "", nil)
		})
		if i%3 != 0 {
			want = append(want, text)
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := b.CatchUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := seen.all(); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}

// TestLapsedNode has a node's lease end: it forgets what it holds, since the others may have been silent, and goes on.
func TestLapsedNode(t *testing.T) {
	t.Parallel()
	address := pgtest.Address(t)
	a, b := openRemote(t, address, Options{}), openRemote(t, address, Options{})
	var seen told
	seen.follow(b)
	lapse := func(d *DB) {
		if err := a.Write(t.Context(), func(tx *Tx) error { return tx.Put("UPDATE node SET lease = 0 WHERE id = ?", d.tail.id) }); err != nil {
			t.Fatal(err)
		}
	}
	lapse(b)
	if err := b.CatchUp(t.Context()); err != nil || seen.lost == 0 {
		t.Errorf("%v, lost %d times", err, seen.lost)
	}
	if err := new(told).append(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	if err := b.CatchUp(t.Context()); err != nil || !slices.Equal(seen.all(), []string{"lost", "0"}) {
		t.Errorf("%v, %v", err, seen.all())
	}
}

// TestAlone has a node without others tell nobody, until one comes.
func TestAlone(t *testing.T) {
	address := pgtest.Address(t)
	a := openRemote(t, address, Options{})
	changes := func() (n int) {
		if err := a.Read(t.Context()).QueryRow("SELECT count(*) FROM change").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if err := new(told).append(t.Context(), a); err != nil || changes() != 0 {
		t.Errorf("%v, %d changes", err, changes())
	}
	openRemote(t, address, Options{})
	if err := new(told).append(t.Context(), a); err != nil || changes() != 1 {
		t.Errorf("%v, %d changes", err, changes())
	}
}

// TestMissedNotices has notices be missing: followers are told that they are lost, and then what follows. A node whose lease has ended, or that has seen
// another history, applies nothing.
func TestMissedNotices(t *testing.T) {
	var seen []string
	f := relay{topics: map[string]follower{"a": {
		func(bodies [][]byte) { seen = append(seen, string(slices.Concat(bodies...))) }, func() { seen = append(seen, "lost") },
	}}}
	alive := &pgLog{lease: 1}
	f.apply(alive, 1, []notice{{"a", []byte("1")}, {"a", []byte("+")}, {"b", []byte("x")}})
	f.apply(alive, 1, []notice{{"a", []byte("again")}})
	f.apply(alive, 3, []notice{{"a", []byte("3")}})
	f.apply(alive, 2, []notice{{"a", []byte("late")}})
	f.apply(&pgLog{lease: 1, moment: 1}, 4, []notice{{"a", []byte("after the lease")}})
	f.apply(&pgLog{lease: 1, epoch: "other"}, 4, []notice{{"a", []byte("of another history")}})
	if want := []string{"1+", "lost", "3"}; !slices.Equal(seen, want) || f.tail.Load() != 3 {
		t.Errorf("%q, tail %d", seen, f.tail.Load())
	}
}

// TestPollWithoutHints cuts the connection that listens: what others commit is known all the same, by and by.
func TestPollWithoutHints(t *testing.T) {
	address := pgtest.Address(t)
	a, b := openRemote(t, address, Options{}), openRemote(t, address, Options{})
	var seen told
	seen.follow(b)
	for i := range 3 {
		if err := a.Read(t.Context()).QueryRow("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE query = 'LISTEN edict'").Scan(new(int)); err != nil {
			t.Fatal(err)
		}
		if err := new(told).append(t.Context(), a); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(time.Minute); len(seen.all()) <= i && time.Now().Before(end); {
			time.Sleep(10 * time.Millisecond) // nobody tells when the tailer has looked
		}
		if got := seen.all(); len(got) != i+1 {
			t.Fatalf("%v", got)
		}
	}
}

// TestNodesAlive: nodes know which others are alive, and which has been there longest: of one that is gone, the next.
func TestNodesAlive(t *testing.T) {
	t.Parallel()
	address := pgtest.Address(t)
	var all []*DB
	for range 3 {
		all = append(all, openRemote(t, address, Options{}))
		time.Sleep(2 * time.Millisecond) // they are told apart by milliseconds
	}
	awaitNodes := func(d *DB, want ...string) {
		t.Helper()
		for end := time.Now().Add(time.Minute); !slices.Equal(d.Nodes(), want); time.Sleep(time.Millisecond) { // nobody tells
			if time.Now().After(end) {
				t.Fatalf("nodes %v, want %v", d.Nodes(), want)
			}
		}
	}
	for i, d := range all {
		awaitNodes(d, all[0].Node(), all[1].Node(), all[2].Node())
		if d.Eldest() != (i == 0) {
			t.Errorf("node %d is the eldest: %v", i, d.Eldest())
		}
	}
	if err := all[0].Close(); err != nil {
		t.Fatal(err)
	}
	for _, d := range all[1:] {
		awaitNodes(d, all[1].Node(), all[2].Node())
	}
	if !all[1].Eldest() || all[2].Eldest() {
		t.Error("the next is not the eldest")
	}
	local := open(t, t.TempDir(), Options{})
	if !local.Eldest() || local.Nodes() != nil || local.Node() != "" {
		t.Error("a data directory has nodes")
	}
}

// TestRollingUpgrade has servers of a newer version start, all at once, beside one of the version before, which goes on writing: the schema is changed
// once, and both versions read what the other wrote. One of the older version that starts afterwards is refused.
func TestRollingUpgrade(t *testing.T) {
	address := pgtest.Address(t)
	old := openRemote(t, address, Options{})
	var seen told
	seen.follow(old)
	newer := remoteNotes()
	files := newer.Files.(fstest.MapFS)
	files["schema/postgres/2_label.sql"] = &fstest.MapFile{Data: []byte(`ALTER TABLE note ADD COLUMN label text COLLATE "C" NOT NULL DEFAULT 'none'; CREATE TABLE label (name text PRIMARY KEY)`)}
	stop, stopped := make(chan struct{}), make(chan int)
	go func() {
		n := 0
		for ; ; n++ {
			select {
			case <-stop:
				stopped <- n
				return
			default:
			}
			if err := old.Write(t.Context(), func(tx *Tx) error { return tx.Put(insertNote, n, "old", nil) }); err != nil {
				t.Errorf("the older server: %v", err)
			}
		}
	}()
	const servers = 3
	var fresh [servers]*DB
	var wg sync.WaitGroup
	for i := range fresh {
		wg.Go(func() {
			d, err := OpenPostgres(t.Context(), address, Options{Logger: slog.New(slog.DiscardHandler)}, newer)
			if err != nil {
				t.Errorf("a newer server: %v", err)
				return
			}
			t.Cleanup(func() { d.Close() })
			fresh[i] = d
			err = d.Write(t.Context(), func(tx *Tx) error {
				tx.Tell("note", []byte("new"))
				return tx.Put("INSERT INTO note (id, text, body, label) VALUES (?, ?, ?, ?)", 1_000_000+i, "new", nil, "green")
			})
			if err != nil {
				t.Errorf("a newer server writes: %v", err)
			}
		})
	}
	wg.Wait()
	close(stop)
	n := <-stopped
	if t.Failed() {
		return
	}
	if err := old.CatchUp(t.Context()); err != nil || len(seen.all()) != servers {
		t.Errorf("the older server was told %v (%v)", seen.all(), err)
	}
	for name, d := range map[string]*DB{"older": old, "newer": fresh[0]} {
		if got := countNotes(t, d); got != n+servers {
			t.Errorf("the %s server reads %d notes, want %d", name, got, n+servers)
		}
	}
	var unlabelled int
	if err := fresh[1].Read(t.Context()).QueryRow("SELECT count(*) FROM note WHERE label = 'none'").Scan(&unlabelled); err != nil || unlabelled != n {
		t.Errorf("%d notes of the older server have the default, want %d (%v)", unlabelled, n, err)
	}
	if _, err := OpenPostgres(t.Context(), address, Options{Logger: slog.New(slog.DiscardHandler)}, remoteNotes()); err == nil || !strings.Contains(err.Error(), "newer edict") {
		t.Errorf("an older server that starts: %v", err)
	}
}

// TestStatus: a server tells how it is among others.
func TestStatus(t *testing.T) {
	address := pgtest.Address(t)
	a := openRemote(t, address, Options{})
	openRemote(t, address, Options{})
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) { // nobody tells
		s, ok := a.Status()
		if ok && s.Nodes == 2 && s.Standby == "none" && s.Bus == "postgres" && s.Lease > 0 && a.Ready() == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%+v, ready: %v", s, a.Ready())
		}
	}
	if about := a.About(); about["kind"] != "postgres" || about["nodes"] != "2" || about["standby"] != "none" {
		t.Errorf("%v", about)
	}
	a.tail.looked.Add(-int64(time.Minute))
	if err := a.Ready(); err != nil && !strings.Contains(err.Error(), "were last read") {
		t.Error(err)
	}
	for wanted, test := range map[bool]map[int64]string{false: {0: "none"}, true: {0: "synchronous, not seen (it is away, or the role lacks pg_monitor)", 1: "synchronous"}} {
		for seen, want := range test {
			if got := standbyText(wanted, seen); got != want {
				t.Errorf("standby %v, %d seen: %s", wanted, seen, got)
			}
		}
	}
	if about := open(t, t.TempDir(), Options{}).About(); about != nil {
		t.Errorf("a data directory tells %v", about)
	}
}
