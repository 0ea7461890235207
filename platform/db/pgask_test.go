package db

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"edict/platform/db/pgtest"
)

// TestAsk has several queries be answered, in their order, with what was put before them; one that fails fails the write alone.
func TestAsk(t *testing.T) {
	stores := map[string]func(t *testing.T) *DB{
		"SQLite":     func(t *testing.T) *DB { return open(t, t.TempDir(), Options{}) },
		"PostgreSQL": func(t *testing.T) *DB { return openRemote(t, pgtest.Address(t), Options{}) },
	}
	for name, opened := range stores {
		t.Run(name, func(t *testing.T) {
			d := opened(t)
			var got []string
			keep := func(row Row) error {
				var text string
				err := row.Scan(&text)
				got = append(got, text)
				return err
			}
			err := d.Write(t.Context(), func(tx *Tx) error {
				for id, text := range []string{"a", "b", "c"} {
					if err := tx.Put("INSERT INTO note (id, text) VALUES (?, ?)", id, text); err != nil {
						return err
					}
				}
				return tx.Ask(Question{"SELECT text FROM note WHERE text <> ? ORDER BY text", []any{"b"}, keep}, Question{"SELECT text FROM note WHERE text = ?", []any{"none"}, keep},
					Question{"SELECT text FROM note WHERE text = ?", []any{"b"}, keep})
			})
			if err != nil || !slices.Equal(got, []string{"a", "c", "b"}) {
				t.Errorf("%v, %v", got, err)
			}
			refused := errors.New("refused")
			err = d.Write(t.Context(), func(tx *Tx) error {
				return tx.Ask(Question{"SELECT text FROM note", nil, func(Row) error { return refused }}, Question{"SELECT text FROM note", nil, keep})
			})
			if !errors.Is(err, refused) {
				t.Errorf("an error of the caller: %v", err)
			}
			err = d.Write(t.Context(), func(tx *Tx) error { return tx.Ask(Question{"SELECT nothing FROM note", nil, keep}) })
			if err == nil || !strings.Contains(err.Error(), "nothing") {
				t.Errorf("an error of the statement: %v", err)
			}
			if err := d.Write(t.Context(), func(tx *Tx) error { return tx.Put("INSERT INTO note (id, text) VALUES (?, ?)", 9, "d") }); err != nil {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}
