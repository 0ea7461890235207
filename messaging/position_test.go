package messaging

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func testCodec(epoch uint64, key byte) *Codec {
	return NewCodec(Identity{Epoch: epoch, IDKey: [16]byte{key}})
}

func TestPositionsCarryTheirTime(t *testing.T) {
	now := time.Date(2026, 11, 15, 10, 30, 0, 123_456_789, time.UTC)
	p := Position(0).Next(now)
	if want := now.Truncate(time.Millisecond); !p.Time().Equal(want) {
		t.Errorf("got %v, want %v", p.Time(), want)
	}
	if next := p.Next(now.Add(-time.Hour)); next != p+1 || !next.Time().Equal(p.Time()) {
		t.Errorf("after the clock went back: %d after %d", next, p)
	}
	if later := p.Next(now.Add(time.Second)); later.Time().Sub(p.Time()) != time.Second {
		t.Errorf("a second later: %v", later.Time())
	}
}

func TestPositionAtExtremes(t *testing.T) {
	for _, test := range []struct {
		at   time.Time
		want Position
	}{
		{time.Time{}, 0}, {time.Unix(-1, 0), 0}, {time.Unix(0, 0), 0}, {time.UnixMilli(1), 1 << 20},
		{time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC), MaxPosition}, {time.Unix(1<<62, 0), MaxPosition},
	} {
		if got := PositionAt(test.at); got != test.want {
			t.Errorf("%v: got %d, want %d", test.at, got, test.want)
		}
	}
}

func TestIDsSortLikePositions(t *testing.T) {
	c := testCodec(1, 1)
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.SliceOfN(rapid.Int64Min(0), 2, 10).Draw(t, "positions")
		slices.Sort(at)
		var ids []string
		for _, p := range slices.Compact(at) {
			id := c.ItemID(Position(p))
			back, ok := c.ParseItemID(id)
			if !ok || back != Position(p) || len(id) != 24 {
				t.Fatalf("%d: %s decodes to %d, %v", p, id, back, ok)
			}
			ids = append(ids, id)
		}
		if !slices.IsSorted(ids) {
			t.Fatalf("ids are not in order: %v", ids)
		}
	})
}

func TestIDsOfOthersDoNotDecode(t *testing.T) {
	c, other := testCodec(1, 1), testCodec(1, 2)
	id := c.ItemID(12345)
	if _, ok := other.ParseItemID(id); ok {
		t.Error("an id of another store decodes")
	}
	if _, ok := c.ParseMessageID(id); ok {
		t.Error("an item's id is a message's id")
	}
	for i := range len(id) {
		for _, r := range "0a" {
			changed := id[:i] + string(r) + id[i+1:]
			if _, ok := c.ParseItemID(changed); ok && changed != id {
				t.Errorf("a guess decodes: %s for %s", changed, id)
			}
		}
	}
	restored := testCodec(2, 1)
	if p, ok := restored.ParseItemID(id); !ok || p != 12345 {
		t.Error("an id does not survive the restoring of a backup")
	}
}

func TestCursors(t *testing.T) {
	c := testCodec(7, 1)
	s := c.StreamCursor(99)
	if p, err := c.ParseStreamCursor(s); err != nil || p != 99 {
		t.Fatalf("got %d, %v", p, err)
	}
	if got := string(c.AppendStreamCursor([]byte("id: "), 99)); got != "id: "+s {
		t.Errorf("appended it is %q, want %q", got, "id: "+s)
	}
	_, err := testCodec(8, 1).ParseStreamCursor(s)
	if outcome(err) != "31" || !strings.Contains(err.Error(), "another history") {
		t.Errorf("a cursor of another epoch: %v", err)
	}
	if _, err := c.parseInboxCursor(s); err == nil {
		t.Error("a stream cursor pages an inbox")
	}
	want := itemCursor{after: 5, since: 1, until: MaxPosition, descending: true, total: 1 << 40}
	if got, err := c.parseItemCursor(c.itemCursor(want)); err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
}

func FuzzIDs(f *testing.F) {
	c := testCodec(7, 1)
	f.Add(c.ItemID(5))
	f.Add(c.StreamCursor(5))
	f.Add(c.itemCursor(itemCursor{after: 1, total: 2}))
	f.Add("")
	f.Add(strings.Repeat("z", 24))
	f.Fuzz(func(t *testing.T, s string) {
		if p, ok := c.ParseItemID(s); ok && c.ItemID(p) != s {
			t.Fatalf("%q is a second way to write the id of %d", s, p)
		}
		if p, ok := c.ParseMessageID(s); ok && c.MessageID(p) != s {
			t.Fatalf("%q is a second way to write the id of %d", s, p)
		}
		if p, err := c.ParseStreamCursor(s); err == nil && (c.StreamCursor(p) != s || p < 0) {
			t.Fatalf("%q is a second way to write the cursor of %d", s, p)
		}
		for _, err := range []error{second(c.parseItemCursor(s)), second(c.parseInboxCursor(s)), second(c.ParseStreamCursor(s))} {
			if err != nil && CodeOf(err) != CodeIllegalArgument {
				t.Fatalf("%q: %v", s, err)
			}
		}
	})
}

func second[T any](_ T, err error) error { return err }
