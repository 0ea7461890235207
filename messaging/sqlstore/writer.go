package sqlstore

import (
	"database/sql"
	"errors"

	"edict/messaging"
	"edict/platform/db"
)

// reader is a messaging.Reader on a snapshot, or the reading half of a writer.
type reader struct {
	q      db.Queryer
	unread *unread // nil inside an update, which sees its own writes

	dialect db.Dialect
}

var _ messaging.Reader = (*reader)(nil)

// writer is a messaging.Writer. There is one, used by one update after the other.
type writer struct {
	reader
	tx    *db.Tx
	store *Store
	wrote bool // the running update changed something
}

var _ messaging.Writer = (*writer)(nil)

// touch notes that the running update changes what memory holds: if it fails, that has to be undone,
// also when no statement has run.
func (w *writer) touch() {
	w.wrote = true
	w.tx.Dirty()
}

// note has the lists of what is unread be told of a change, once it is committed.
func (w *writer) note(c change) {
	w.touch()
	w.store.changes = append(w.store.changes, c)
}

// exec runs a writing statement that does not fail.
func (w *writer) exec(query string, args ...any) error {
	w.touch()
	w.store.ahead.wrote(query)
	return w.tx.Put(query, args...)
}

// count runs a writing statement and returns how many rows it touched.
func (w *writer) count(query string, args ...any) (int, error) {
	w.touch()
	w.store.ahead.wrote(query)
	r, err := w.tx.Exec(query, args...)
	if err != nil {
		return 0, err
	}
	n, err := r.RowsAffected()
	return int(n), err
}

// insert runs an INSERT … RETURNING id; ok is false when nothing was inserted.
func (w *writer) insert(query string, args ...any) (id int64, ok bool, err error) {
	w.touch()
	w.store.ahead.wrote(query)
	ok, err = found(w.tx.QueryRow(query, args...).Scan(&id))
	return id, ok, err
}

// Audit implements messaging.Writer.
func (w *writer) Audit(act messaging.AdminAct) error {
	if w.store.audit == nil {
		return nil
	}
	w.touch()
	return w.store.audit(w.tx, act)
}

// Next implements messaging.Writer.
func (w *writer) Next() messaging.Position {
	w.store.head = w.store.head.Next(w.store.now())
	return w.store.head
}

// Head implements messaging.Reader.
func (w *writer) Head() (messaging.Position, error) { return w.store.head, nil }

// Head implements messaging.Reader.
func (r *reader) Head() (head messaging.Position, err error) {
	err = r.q.QueryRow("SELECT head FROM log WHERE id = 1").Scan(&head)
	return head, err
}

// Announce implements messaging.Writer.
func (w *writer) Announce(e messaging.Event) {
	if w.store.announce != nil || w.tx.Tells() {
		w.store.events = append(w.store.events, e)
	}
}

// found turns "no rows" into false.
func found(err error) (bool, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// list reads all rows of a query.
func list[T any](q db.Queryer, scan func(db.Rows, *T) error, query string, args ...any) (all []T, err error) {
	err = each(q, scan, func(t *T) bool {
		all = append(all, *t)
		return true
	}, query, args...)
	if err != nil {
		return nil, err
	}
	return all, nil
}

// each calls fn with the rows of a query, one after the other, until it returns false.
func each[T any](q db.Queryer, scan func(db.Rows, *T) error, fn func(*T) bool, query string, args ...any) error {
	rows, err := q.Query(query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var t T
		if err := scan(rows, &t); err != nil {
			return err
		}
		if !fn(&t) {
			return nil
		}
	}
	return rows.Err()
}

// number reads one integer, 0 when there is no row.
func number(q db.Queryer, query string, args ...any) (n int64, err error) {
	_, err = found(q.QueryRow(query, args...).Scan(&n))
	return n, err
}
