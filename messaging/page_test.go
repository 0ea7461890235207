package messaging_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"edict/messaging"
	"edict/platform/fault"
)

// smallPages is a service whose pages have few bytes.
func smallPages(t *testing.T) *fixture {
	l := messaging.DefaultLimits()
	l.PageBytes = 3000
	return setUp(t, l)
}

// weighing is content with a number and so many bytes, about.
func weighing(n, size int) string {
	return fmt.Sprintf(`{"n":%d,"x":"%s"}`, n, strings.Repeat("x", size))
}

func numbers(items []messaging.Item) (all string) {
	for _, i := range items {
		number, _, _ := strings.Cut(strings.TrimPrefix(string(i.Content), `{"n":`), ",")
		all += number + " "
	}
	return all
}

// TestPagesEndByBytes: large items make short pages, from which cursor and offset both go on; one that is larger than a page
// has a page of its own.
func TestPagesEndByBytes(t *testing.T) {
	f := smallPages(t)
	c := f.create(ann, "c", nil)
	for n, size := range []int{1000, 1000, 1000, 5000, 1000, 1000, 10, 10} {
		f.publish(ann, c, weighing(n, size))
	}
	for _, test := range []struct {
		descending bool
		want       string
	}{{false, "0 1 |2 |3 |4 5 6 |7 |"}, {true, "7 6 5 |4 |3 |2 1 |0 |"}} {
		byCursor, byOffset, offset := "", "", 0
		for fetch := (messaging.Fetch{Size: 100, Descending: test.descending}); ; {
			page, err := f.FetchItems(t.Context(), ann, c, fetch)
			f.ok(err)
			same, err := f.FetchItems(t.Context(), ann, c, messaging.Fetch{Size: 100, Descending: test.descending, Offset: offset})
			f.ok(err)
			if page.Total != 8 || same.Total != 8 {
				t.Fatalf("totals %d and %d, want 8", page.Total, same.Total)
			}
			byCursor, byOffset, offset = byCursor+numbers(page.Items)+"|", byOffset+numbers(same.Items)+"|", offset+len(page.Items)
			if fetch = (messaging.Fetch{Size: 100, Cursor: page.Next}); page.Next == "" {
				break
			}
		}
		if byCursor != test.want || byOffset != test.want {
			t.Errorf("descending %v: by cursor %s, by offset %s, want %s", test.descending, byCursor, byOffset, test.want)
		}
	}
}

// TestItemsByIDByBytes: what is more than a page is refused, in words; one alone never is.
func TestItemsByIDByBytes(t *testing.T) {
	f := smallPages(t)
	c := f.create(ann, "c", nil)
	a, b := f.publish(ann, c, weighing(0, 1000)), f.publish(ann, c, weighing(1, 5000))
	for _, ids := range [][]string{{a, b}, {b, b}, {b, a}, {a, a, a}} {
		_, err := f.ItemsByID(t.Context(), ann, c, ids, nil)
		f.refused(err, 31, fault.Invalid, "request fewer ids")
	}
	for _, test := range []struct {
		ids  []string
		want string
	}{{[]string{b}, "1 "}, {[]string{a, "nothing", a}, "0 0 "}} {
		items, err := f.ItemsByID(t.Context(), ann, c, test.ids, nil)
		f.ok(err)
		if got := numbers(items); got != test.want {
			t.Errorf("%v: %q, want %q", test.ids, got, test.want)
		}
		for _, item := range items {
			if item.ID != test.ids[0] || item.Channel != "c" {
				t.Errorf("%v: %s of %s", test.ids, item.ID, item.Channel)
			}
		}
	}
}

// TestPagesEndWithMemory: where memory ends a page does, and goes on once there is some; without any nothing is answered.
func TestPagesEndWithMemory(t *testing.T) {
	f := smallPages(t)
	c := f.create(ann, "c", nil)
	ids := make([]string, 2)
	for n := range ids {
		ids[n] = f.publish(ann, c, weighing(n, 100))
		_, err := f.Send(t.Context(), ann, messaging.NewMessage{Recipients: []messaging.UserID{"bob"}, Content: []byte(weighing(n, 100))})
		f.ok(err)
	}
	none := errors.New("no memory")
	memory := func(bytes int64) messaging.Memory {
		return func(n int64) error {
			if bytes -= n; bytes < 0 {
				return none
			}
			return nil
		}
	}
	page, err := f.FetchItems(t.Context(), ann, c, messaging.Fetch{Size: 10, Memory: memory(500)})
	f.ok(err)
	rest, err := f.FetchItems(t.Context(), ann, c, messaging.Fetch{Size: 10, Cursor: page.Next, Memory: memory(500)})
	f.ok(err)
	if got := numbers(page.Items) + numbers(rest.Items); page.Total != 2 || got != "0 1 " || rest.Next != "" {
		t.Errorf("%d %s %s", page.Total, got, rest.Next)
	}
	inbox, err := f.Inbox(t.Context(), bob, "", 10, memory(500))
	f.ok(err)
	more, err := f.Inbox(t.Context(), bob, inbox.Next, 10, memory(500))
	f.ok(err)
	if len(inbox.Messages) != 1 || len(more.Messages) != 1 || inbox.Messages[0].At >= more.Messages[0].At {
		t.Errorf("%v, then %v", inbox, more)
	}
	_, fetchErr := f.FetchItems(t.Context(), ann, c, messaging.Fetch{Size: 10, Memory: memory(0)})
	_, inboxErr := f.Inbox(t.Context(), bob, "", 10, memory(0))
	for _, who := range []messaging.Caller{ann, bob} {
		_, err := f.Subscribe(t.Context(), who, c, messaging.NewSubscription{})
		f.ok(err)
	}
	_, subsErr := f.Subscriptions(t.Context(), ann, c, memory(300)) // for one of two
	_, idErr := f.ItemsByID(t.Context(), ann, c, ids, memory(500))
	for _, err := range []error{fetchErr, inboxErr, subsErr, idErr} {
		if !errors.Is(err, none) {
			t.Errorf("got %v, want that there is no memory", err)
		}
	}
}

// TestInboxByBytes: large messages make short pages, of content and metadata.
func TestInboxByBytes(t *testing.T) {
	f := smallPages(t)
	for n := range 5 {
		_, err := f.Send(t.Context(), ann, messaging.NewMessage{Recipients: []messaging.UserID{"bob"}, Content: []byte(weighing(n, 600)), Metadata: []byte(weighing(n, 600))})
		f.ok(err)
	}
	var got []int
	for cursor := ""; ; {
		page, err := f.Inbox(t.Context(), bob, cursor, 10, nil)
		f.ok(err)
		if cursor = page.Next; len(page.Messages) == 0 {
			break
		}
		got = append(got, len(page.Messages))
	}
	if fmt.Sprint(got) != "[2 2 1]" {
		t.Errorf("pages of %v messages, want 2, 2, 1", got)
	}
}
