package db

import (
	"testing"
	"time"

	"edict/platform/db/pgtest"
)

// TestLeaseEndsDuringCommit has the lease of a node end while it holds the lock, so that another thinks itself alone: what is committed then is not
// acknowledged before that one knows better, as its requests do not wait for what others commit.
func TestLeaseEndsDuringCommit(t *testing.T) {
	t.Parallel()
	address := pgtest.Address(t)
	a, b := openRemote(t, address, Options{Node: "a"}), openRemote(t, address, Options{Node: "b"})
	tool := openRemote(t, address, Options{Tool: true})
	until := func(fine func() bool) {
		for end := time.Now().Add(time.Minute); !fine(); time.Sleep(time.Millisecond) { // nobody tells
			if time.Now().After(end) {
				t.Fatal("it does not come to that")
			}
		}
	}
	until(func() bool { return !a.Alone() && !b.Alone() })
	for tried := false; !tried; {
		err := tool.Write(t.Context(), func(tx *Tx) error {
			return tx.Put("UPDATE node SET lease = ? WHERE name = 'b'", tx.row.moment+1000)
		})
		if err != nil {
			t.Fatal(err)
		}
		err = b.Write(t.Context(), func(tx *Tx) error {
			if left := tx.row.lease - tx.row.moment; left <= 0 || left > 1000 {
				return nil // it was renewed before
			}
			tried = true
			until(a.Alone)
			return tx.Put(insertNote, 1, "", nil)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if a.Alone() {
		t.Error("a node that thinks itself alone was not waited for")
	}
}

// TestAloneEndsWithLease: a node does not think itself alone for longer than it has a lease itself.
func TestAloneEndsWithLease(t *testing.T) {
	const now = 1_000_000
	for left, want := range map[int64]time.Duration{8000: aloneFor, 400: aloneFor, 399: 399 * time.Millisecond, 1: time.Millisecond} {
		l := pgLog{moment: now, lease: now + left}
		if got := l.aloneFor(); got != want {
			t.Errorf("%d ms before the end of the lease: %v, want %v", left, got, want)
		}
	}
}
