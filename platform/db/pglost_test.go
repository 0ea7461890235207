package db

import (
	"strings"
	"testing"

	"edict/platform/db/pgtest"
	"edict/platform/fault"
)

// TestLostWhilePreparing loses the connection when the rows of a group are about to go as one statement, which is prepared then: the write is refused,
// and the next one works.
func TestLostWhilePreparing(t *testing.T) {
	proxy := pgtest.NewProxy(t, pgtest.Address(t))
	d := openRemote(t, proxy.Address, Options{})
	put := func(first int, then func()) error {
		return d.Write(t.Context(), func(tx *Tx) error {
			defer then()
			for i := range 2 {
				if err := tx.Put(insertNote, first+i, "", nil); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := put(0, func() { proxy.Refuse(true) }); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("without a connection: %v", err)
	}
	proxy.Refuse(false)
	awaitHealthy(t, d)
	if err := put(2, func() {}); err != nil {
		t.Error(err)
	}
}

// TestLostWhileReading loses the connection in the middle of a result: that is a store which cannot be read now, not a fault of the server.
func TestLostWhileReading(t *testing.T) {
	proxy := pgtest.NewProxy(t, pgtest.Address(t))
	d := openRemote(t, proxy.Address, Options{Readers: 1})
	const notes = 400
	err := d.Write(t.Context(), func(tx *Tx) error {
		for i := range notes {
			text := strings.Repeat("x", 4000)
			if i == notes-1 {
				text += "LAST"
			}
			if err := tx.Put(insertNote, i, text, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	read := func(q Queryer) error {
		proxy.LoseAnswer("LAST", nil)
		rows, err := q.Query("SELECT id, text FROM note ORDER BY id")
		if err != nil {
			t.Fatal(err) // the beginning of the result is there before its end is lost
		}
		defer rows.Close()
		n := 0
		for rows.Next() {
			n++
		}
		if n == notes {
			t.Error("everything was read")
		}
		return rows.Err()
	}
	if err := read(d.Read(t.Context())); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("a read whose connection was lost: %v", err)
	}
	if err := d.Snapshot(t.Context(), read); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("a snapshot whose connection was lost: %v", err)
	}
}

// TestLostWhileJoining loses the connection of a node that comes, when it tells the others of itself: it tries again for as long as it may wait.
func TestLostWhileJoining(t *testing.T) {
	address := pgtest.Address(t)
	openRemote(t, address, Options{Node: "a"})
	proxy := pgtest.NewProxy(t, address)
	lost := false
	proxy.LoseAnswer("COMMIT\x00", func() { lost = true })
	d := openRemote(t, proxy.Address, Options{Node: "b"})
	if n := countNotes(t, d); n != 0 || !lost {
		t.Errorf("%d notes; the answer was lost: %v", n, lost)
	}
}
