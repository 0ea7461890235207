package db

import (
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"edict/platform/db/pgtest"
	"edict/platform/fault"
)

// awaitHealthy waits until writes are let in again.
func awaitHealthy(t *testing.T, d *DB) {
	t.Helper()
	for end := time.Now().Add(time.Minute); d.Healthy() != nil; time.Sleep(10 * time.Millisecond) { // the probe tells nobody
		if time.Now().After(end) {
			t.Fatal(d.Healthy())
		}
	}
}

// TestStandbyGone takes the synchronous standby away: nothing is acknowledged while it is, everybody who waits is told so in time, reading goes on,
// and when it is back, so is writing, and what was committed meanwhile is followed by what comes after a commit.
func TestStandbyGone(t *testing.T) {
	t.Parallel()
	pair := pgtest.NewPair(t, true)
	d := openRemote(t, pair.Address(pgtest.Primary), Options{Standby: RequireStandby})
	after := make(chan int, 100)
	put := func(id int) error {
		return d.Write(t.Context(), func(tx *Tx) error {
			tx.AfterCommit(func() { after <- id })
			return tx.Put(insertNote, id, "", nil)
		})
	}
	if err := put(0); err != nil || <-after != 0 {
		t.Fatal(err)
	}
	pair.Stop(pgtest.Standby)
	var wg sync.WaitGroup
	began := time.Now()
	for i := range 20 {
		wg.Go(func() {
			if err := put(1 + i); fault.KindOf(err) != fault.Unavailable {
				t.Errorf("write %d without the standby: %v", i, err)
			}
		})
	}
	wg.Wait()
	t.Logf("refused within %s", time.Since(began))
	if d.Healthy() == nil {
		t.Error("the store calls itself healthy")
	}
	if err := put(50); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("a write: %v", err)
	}
	if n := countNotes(t, d); n != 1 {
		t.Errorf("%d notes are seen, of which the standby has one", n)
	}
	pair.Start(pgtest.Standby)
	awaitHealthy(t, d)
	if err := put(99); err != nil {
		t.Fatal(err)
	}
	n := countNotes(t, d)
	close(after)
	told := 0
	for range after {
		told++
	}
	if told != n-1 { // that of the beginning was taken out
		t.Errorf("%d notes are there, and %d were told of", n, told)
	}
}

// TestStandbyRequired has an operator turn the waiting for a standby off: a server that requires one acknowledges nothing from then on.
func TestStandbyRequired(t *testing.T) {
	t.Parallel()
	pair := pgtest.NewPair(t, true)
	d := openRemote(t, pair.Address(pgtest.Primary), Options{Standby: RequireStandby})
	put := func(id int) error {
		return d.Write(t.Context(), func(tx *Tx) error { return tx.Put(insertNote, id, "", nil) })
	}
	if err := put(1); err != nil {
		t.Fatal(err)
	}
	pair.Synchronous("")
	if err := put(2); !errors.Is(err, errUnsafe) || !strings.Contains(err.Error(), "nothing was changed") {
		t.Errorf("without a standby to wait for: %v", err)
	}
	pair.Synchronous("*")
	awaitHealthy(t, d)
	if err := put(3); err != nil {
		t.Fatal(err)
	}
	// The wait for the standby is cancelled: PostgreSQL has committed, and says so, and the standby has nothing.
	pair.Stop(pgtest.Standby)
	until := func(condition, then string) {
		pair.Exec(pgtest.Primary, `DO $$ BEGIN
			WHILE NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE `+condition+` AND pid <> pg_backend_pid()) LOOP PERFORM pg_sleep(0.01); PERFORM pg_stat_clear_snapshot(); END LOOP;
			`+then+`
		END $$`)
	}
	var canceller sync.WaitGroup
	canceller.Go(func() {
		until("wait_event = 'SyncRep'", "PERFORM pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep';")
	})
	until("query LIKE '%pg_cancel_backend%'", "") // a commit waits 4.5 s, in which a busy machine may not start a backend
	if err := put(4); !errors.Is(err, errUnknown) {
		t.Errorf("a commit that was cut short: %v", err)
	}
	canceller.Wait()
	pair.Start(pgtest.Standby)
	awaitHealthy(t, d)
	pair.Exec(pgtest.Primary, "ALTER SYSTEM SET synchronous_commit = off")
	pair.Exec(pgtest.Primary, "SELECT pg_reload_conf()")
	for end := time.Now().Add(time.Minute); ; { // until the reload has arrived
		err := put(int(time.Since(end)) - 1)
		if errors.Is(err, errUnsafe) {
			break
		}
		if err != nil || time.Now().After(end) {
			t.Fatalf("with synchronous_commit off: %v", err)
		}
	}
}

// TestPromoted loses the primary with a synchronous standby: what was acknowledged is on the other one, on which the server goes on by itself.
func TestPromoted(t *testing.T) {
	t.Parallel()
	pair := pgtest.NewPair(t, true)
	d, err := OpenPostgres(t.Context(), pair.Both(), Options{Logger: slog.New(slog.DiscardHandler)}, remoteNotes())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	acknowledged := 0
	put := func() {
		if d.Write(t.Context(), func(tx *Tx) error { return tx.Put(insertNote, time.Now().UnixNano(), "", nil) }) == nil {
			acknowledged++
		}
	}
	for range 20 {
		put()
	}
	pair.Stop(pgtest.Primary)
	put()
	pair.Promote()
	// The new primary has no standby to wait for, and was not told to.
	pair.Exec(pgtest.Standby, "ALTER SYSTEM SET synchronous_standby_names = ''")
	pair.Exec(pgtest.Standby, "SELECT pg_reload_conf()")
	awaitHealthy(t, d)
	for range 5 {
		put()
	}
	if n := countNotes(t, d); n < acknowledged || acknowledged < 25 {
		t.Errorf("%d notes are there, %d were acknowledged", n, acknowledged)
	}
}

// TestHistoryLost promotes an asynchronous standby that lacks what was acknowledged last: each node notices, one of them begins another history, in
// which all go on; followers are told that what they hold is lost.
func TestHistoryLost(t *testing.T) {
	t.Parallel()
	pair := pgtest.NewPair(t, false)
	type node struct {
		*DB
		mu     sync.Mutex
		epochs []string
		lost   int
	}
	var nodes []*node
	for range 2 {
		n := &node{DB: openRemote(t, pair.Both(), Options{})}
		n.Follow("note", func([][]byte) {}, func() { n.mu.Lock(); n.lost++; n.mu.Unlock() })
		n.OnEpoch(func(epoch string) { n.mu.Lock(); n.epochs = append(n.epochs, epoch); n.mu.Unlock() })
		nodes = append(nodes, n)
	}
	put := func(n *node, id int) error {
		return n.Write(t.Context(), func(tx *Tx) error {
			tx.Tell("note", []byte{1})
			return tx.Put(insertNote, id, "", nil)
		})
	}
	for i, n := range nodes {
		if err := put(n, i); err != nil {
			t.Fatal(err)
		}
	}
	pair.CaughtUp()
	pair.Stop(pgtest.Standby) // it hears nothing from here on
	for i, n := range nodes {
		if err := put(n, 10+i); err != nil {
			t.Fatal(err)
		}
		n.mu.Lock()
		n.lost = 0
		n.mu.Unlock()
	}
	pair.Stop(pgtest.Primary)
	pair.Start(pgtest.Standby)
	pair.Promote()
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) { // nodes find the new primary by themselves
		heard := 0
		for _, n := range nodes {
			n.mu.Lock()
			if len(n.epochs) > 0 && n.lost > 0 {
				heard++
			}
			n.mu.Unlock()
		}
		if heard == len(nodes) {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%d of %d nodes have noticed", heard, len(nodes))
		}
	}
	var epoch string
	if err := nodes[0].Read(t.Context()).QueryRow("SELECT value FROM edict_meta WHERE key = 'epoch'").Scan(&epoch); err != nil {
		t.Fatal(err)
	}
	for i, n := range nodes {
		awaitHealthy(t, n.DB)
		if got := n.epochs; len(got) != 1 || got[0] != epoch || epoch == n.Epoch() {
			t.Errorf("node %d went on in the epochs %v, the store is in %s and was in %s", i, got, epoch, n.Epoch())
		}
		if err := put(n, 20+i); err != nil {
			t.Error(err)
		}
	}
	if n := countNotes(t, nodes[1].DB); n != 4 {
		t.Errorf("%d notes are there, want the two before and the two after", n)
	}
}
