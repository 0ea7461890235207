package db

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	lib "modernc.org/sqlite/lib"

	"edict/platform/db/pgtest"
	"edict/platform/fault"
	"edict/platform/longtest"
)

// hold keeps the writer busy with a write of its own until release is called, so that what is written
// meanwhile forms one group.
func hold(t *testing.T, d *DB) (release func()) {
	t.Helper()
	begun, end, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- d.Write(context.Background(), func(tx *Tx) error {
			tx.AfterCommit(func() { close(begun); <-end })
			return nil
		})
	}()
	<-begun
	return func() {
		close(end)
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// together runs writes that share a group, in order, and returns their errors.
func together(t *testing.T, d *DB, fns ...func(*Tx) error) []error {
	t.Helper()
	release := hold(t, d)
	errs := make([]error, len(fns))
	var wg sync.WaitGroup
	for i, fn := range fns {
		wg.Go(func() { errs[i] = d.Write(context.Background(), fn) })
		await(t, func() bool { return len(d.writer.queue) == i+1 })
	}
	release()
	wg.Wait()
	return errs
}

// await polls for a state that nobody announces.
func await(t *testing.T, reached func() bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for !reached() {
		select {
		case <-deadline:
			t.Fatal("state not reached")
		case <-time.After(time.Millisecond):
		}
	}
}

func TestWritesShareOneTransaction(t *testing.T) {
	var groups []Group
	d := open(t, t.TempDir(), Options{Observe: func(g Group) { groups = append(groups, g) }})
	errs := together(t, d, add("a"), add("b"), add("c"))
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	if got := texts(t, d); got != "a b c" {
		t.Errorf("order of the queue is the order of the rows: %q", got)
	}
	if last := groups[len(groups)-1]; last.Writes != 3 || last.Replay || last.Err != nil {
		t.Errorf("group: %+v", last)
	}
}

func TestOneFailureLeavesTheOthers(t *testing.T) {
	own := errors.New("not allowed")
	halfway := func(tx *Tx) error {
		tx.AfterCommit(func() { panic("called for a write that failed") })
		return errors.Join(add("half")(tx), own)
	}
	panics := func(tx *Tx) error {
		_ = add("panicking")(tx)
		panic("boom")
	}
	refused := func(*Tx) error { return own }
	for _, test := range []struct {
		name   string
		fails  func(*Tx) error
		err    func(error) bool
		replay bool
	}{
		{"before any change", refused, func(err error) bool { return errors.Is(err, own) }, false},
		{"constraint", add("a"), isConstraint, false},
		{"after a change", halfway, func(err error) bool { return errors.Is(err, own) }, true},
		{"panic", panics, func(err error) bool { return fault.KindOf(err) == fault.Internal && err != nil }, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			var last Group
			d := open(t, t.TempDir(), Options{Observe: func(g Group) { last = g }})
			errs := together(t, d, add("a"), test.fails, add("b"))
			if errs[0] != nil || errs[2] != nil || !test.err(errs[1]) {
				t.Errorf("errors: %v", errs)
			}
			if got := texts(t, d); got != "a b" {
				t.Errorf("rows: %q", got)
			}
			if last.Replay != test.replay {
				t.Errorf("replay: %v, want %v", last.Replay, test.replay)
			}
		})
	}
}

func TestAfterCommitKeepsCommitOrder(t *testing.T) {
	d := open(t, t.TempDir(), Options{})
	var seen []int64 // written by the writer's goroutine alone
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			err := d.Write(t.Context(), func(tx *Tx) error {
				var id int64
				if err := tx.QueryRow("INSERT INTO note (text) VALUES (?) RETURNING id", fmt.Sprint(i)).Scan(&id); err != nil {
					return err
				}
				tx.AfterCommit(func() { seen = append(seen, id) })
				if i%7 == 0 {
					return errors.New("undone")
				}
				return nil
			})
			if (err != nil) != (i%7 == 0) {
				t.Errorf("write %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	if err := d.Write(t.Context(), func(*Tx) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if len(seen) != 42 || !slices.IsSorted(seen) {
		t.Errorf("called for %v", seen)
	}
}

func TestAbandonedWriteDoesNotRun(t *testing.T) {
	d := open(t, t.TempDir(), Options{})
	release := hold(t, d)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- d.Write(ctx, add("abandoned")) }()
	await(t, func() bool { return len(d.writer.queue) == 1 })
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	release()
	if err := d.Write(t.Context(), add("later")); err != nil {
		t.Fatal(err)
	}
	if got := texts(t, d); got != "later" {
		t.Errorf("rows: %q", got)
	}
}

func TestFullQueueHonoursContext(t *testing.T) {
	d := open(t, t.TempDir(), Options{Queue: 1})
	release := hold(t, d)
	defer release()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	for range 2 {
		go func() { done <- d.Write(ctx, add("x")) }()
	}
	await(t, func() bool { return len(d.writer.queue) == 1 })
	cancel()
	for range 2 {
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}

func TestFullDiskRefusesWritesAndRecovers(t *testing.T) {
	d := open(t, t.TempDir(), Options{})
	if err := d.Write(t.Context(), add("kept")); err != nil {
		t.Fatal(err)
	}
	limit := func(pages int) {
		t.Helper()
		var now int
		err := d.writer.tx.conn.queryRow(context.Background(), fmt.Sprintf("PRAGMA max_page_count = %d", pages), nil, func() {}).Scan(&now)
		if err != nil {
			t.Fatal(err)
		}
	}
	limit(1) // SQLite takes the present size for it
	big := add(strings.Repeat("x", 1<<20))
	errs := together(t, d, add("small"), func(tx *Tx) error { return fmt.Errorf("hidden: %v", big(tx)) }, add("small too"))
	for i, err := range errs {
		if fault.KindOf(err) != fault.Unavailable {
			t.Errorf("write %d of the group: %v", i, err)
		}
	}
	if fault.KindOf(d.Healthy()) != fault.Unavailable {
		t.Errorf("health: %v", d.Healthy())
	}
	if got := texts(t, d); got != "kept" {
		t.Errorf("reading goes on and sees %q", got)
	}
	await(t, func() bool { return d.Healthy() == nil })
	limit(1 << 30)
	if err := d.Write(t.Context(), big); err != nil {
		t.Errorf("after recovery: %v", err)
	}
}

// TestWritesQueuedBehindAFailure: each write is answered with what became of it, not of its neighbour.
func TestWritesQueuedBehindAFailure(t *testing.T) {
	d := open(t, t.TempDir(), Options{MaxGroup: 1})
	var pages int
	if err := d.writer.tx.conn.queryRow(context.Background(), "PRAGMA max_page_count = 1", nil, func() {}).Scan(&pages); err != nil {
		t.Fatal(err)
	}
	errs := together(t, d, add("a"), add(strings.Repeat("x", 1<<20)), add("b"))
	if errs[0] != nil || fault.KindOf(errs[1]) != fault.Unavailable || errs[1] == nil || errs[2] != nil {
		t.Errorf("errors: %v", errs)
	}
	if got := texts(t, d); got != "a b" || d.Healthy() != nil {
		t.Errorf("rows: %q, health: %v", got, d.Healthy())
	}
}

func TestCloseFinishesWhatWaits(t *testing.T) {
	ignore := goleak.IgnoreCurrent()
	d := open(t, t.TempDir(), Options{})
	release := hold(t, d)
	accepted := make(chan error)
	go func() { accepted <- d.Write(context.Background(), add("accepted")) }()
	await(t, func() bool { return len(d.writer.queue) == 1 })
	closed := make(chan error)
	go func() { closed <- d.Close() }()
	<-d.writer.quit
	release()
	if err := errors.Join(<-accepted, <-closed); err != nil {
		t.Fatal(err)
	}
	if err := d.Write(t.Context(), add("late")); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("write after Close: %v", err)
	}
	if err := d.Read(t.Context()).QueryRow("SELECT 1").Scan(new(int)); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("read after Close: %v", err)
	}
	goleak.VerifyNone(t, ignore)
	if got := texts(t, open(t, d.Dir(), Options{})); got != "accepted" {
		t.Errorf("rows: %q", got)
	}
}

// TestSnapshotSeesOneMoment holds that all statements of a snapshot see the moment of the first, on both kinds of store: the head of the log and what is
// below it are read by two.
func TestSnapshotSeesOneMoment(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) { testSnapshot(t, open(t, t.TempDir(), Options{})) })
	t.Run("PostgreSQL", func(t *testing.T) { testSnapshot(t, openRemote(t, pgtest.Address(t), Options{})) })
}

func testSnapshot(t *testing.T, d *DB) {
	written := 0
	write := func() error {
		written++
		return d.Write(t.Context(), func(tx *Tx) error {
			return tx.Put("INSERT INTO note (id, text) VALUES (?, ?)", written, fmt.Sprint("note ", written))
		})
	}
	if err := write(); err != nil {
		t.Fatal(err)
	}
	err := d.Snapshot(t.Context(), func(q Queryer) error {
		for range 2 {
			var n int
			if err := q.QueryRow("SELECT count(*) FROM note").Scan(&n); err != nil || n != 1 {
				return fmt.Errorf("sees %d notes, %v", n, err)
			}
			if err := write(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestReaderCannotWrite(t *testing.T) {
	d := open(t, t.TempDir(), Options{})
	rows, err := d.Read(t.Context()).Query("INSERT INTO note (text) VALUES ('x') RETURNING id")
	if err == nil {
		rows.Close()
		t.Error("a read connection wrote")
	}
}

func TestLogIsReusedUnderLoad(t *testing.T) {
	less := longtest.Pick(8, 1)
	d := open(t, t.TempDir(), Options{checkpointPages: checkpointPages / less})
	text := strings.Repeat("x", 1<<20/less)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 40 {
				if err := d.Write(t.Context(), add(fmt.Sprint(w, " ", i, text))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	// 160 MB went through a log that is moved every 40 MB, or an eighth of both.
	if size := fileSize(t, d.Dir(), FileName+"-wal"); size > int64(130<<20/less) {
		t.Errorf("the log has grown to %d MB", size>>20)
	}
}

// TestCancelledReadsLeaveCleanConnections: whenever a context ends, the connection it was used on begins
// its next snapshot afresh.
func TestCancelledReadsLeaveCleanConnections(t *testing.T) {
	d := open(t, t.TempDir(), Options{Readers: 1})
	for range 300 {
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		_ = d.Snapshot(ctx, func(q Queryer) error {
			return q.QueryRow("SELECT count(*) FROM note").Scan(new(int))
		})
		_ = d.Read(ctx).QueryRow("SELECT count(*) FROM note").Scan(new(int))
	}
	if err := d.Write(t.Context(), add("new")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		err := d.Snapshot(t.Context(), func(q Queryer) error {
			var n int
			if err := q.QueryRow("SELECT count(*) FROM note").Scan(&n); err != nil || n != 1 {
				return fmt.Errorf("%d notes, %v", n, err)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// isConstraint reports whether err is a violated UNIQUE, PRIMARY KEY, CHECK, NOT NULL or FOREIGN KEY.
func isConstraint(err error) bool { return code(err)&0xff == lib.SQLITE_CONSTRAINT }
