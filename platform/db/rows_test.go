package db

import (
	"database/sql"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestScan(t *testing.T) {
	type name string
	type number int32
	d := open(t, t.TempDir(), Options{})
	q := d.Read(t.Context())
	type all struct {
		S   string
		N   name
		I   int
		I32 number
		U   uint8
		F   float64
		B   bool
		Raw []byte
		Any any
		P   *string
		Nil *string
		Nul sql.Null[int64]
	}
	var got all
	err := q.QueryRow("SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL", "s", name("n"), 7, int32(8), 200, 1.5, true, []byte{1}, int64(9), "p").
		Scan(&got.S, &got.N, &got.I, &got.I32, &got.U, &got.F, &got.B, &got.Raw, &got.Any, &got.P, &got.Nil, &got.Nul)
	if err != nil {
		t.Fatal(err)
	}
	p := "p"
	want := all{S: "s", N: "n", I: 7, I32: 8, U: 200, F: 1.5, B: true, Raw: []byte{1}, Any: int64(9), P: &p}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []struct {
		value any
		dest  any
	}{
		{nil, new(string)}, {nil, new(int)}, {"x", new(int)}, {300, new(uint8)}, {-1, new(uint)}, {math.MaxInt64, new(int32)},
		{1.5, new(int)}, {1, new(string)}, {"x", "not a pointer"},
	} {
		if err := q.QueryRow("SELECT ?", bad.value).Scan(bad.dest); err == nil {
			t.Errorf("%v (%T) went into %T", bad.value, bad.value, bad.dest)
		}
	}
	if err := q.QueryRow("SELECT 1, 2").Scan(new(int)); err == nil {
		t.Error("two columns went into one destination")
	}
}

func TestSameTextTwiceAtOnce(t *testing.T) {
	d := open(t, t.TempDir(), Options{})
	err := d.Write(t.Context(), func(tx *Tx) error {
		for _, text := range []string{"a", "b", "c"} {
			if err := add(text)(tx); err != nil {
				return err
			}
		}
		pairs := 0
		const query = "SELECT id FROM note"
		outer, err := tx.Query(query)
		if err != nil {
			return err
		}
		defer outer.Close()
		for outer.Next() {
			inner, err := tx.Query(query)
			if err != nil {
				return err
			}
			for inner.Next() {
				pairs++
			}
			if err := inner.Close(); err != nil {
				return err
			}
		}
		if pairs != 9 {
			t.Errorf("%d pairs", pairs)
		}
		return outer.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
}
