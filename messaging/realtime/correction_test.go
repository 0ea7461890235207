package realtime_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"edict/messaging"
	"edict/messaging/realtime"
)

func (f *fixture) correct(caller messaging.Caller, channel, id, content string) {
	f.Helper()
	_, err := f.CorrectItem(context.Background(), caller, ref(channel), id, messaging.NewContent{Content: []byte(content)})
	f.ok(err)
}

// edited reports what an item event says about corrections.
func (g got) edited() (edited bool, date string) {
	var data struct {
		Edited   bool
		MetaData struct{ EditedDate string }
	}
	_ = json.Unmarshal(g.Data, &data)
	return data.Edited, data.MetaData.EditedDate
}

// TestCorrections: a live stream gets a correction at a cursor of its own; one that was away gets the latest if it had the item, and else
// the item as it is, once.
func TestCorrections(t *testing.T) {
	f := setUp(t, settings{})
	f.create(ann, "news", nil)
	f.subscribe(bob, "news")
	for transport := range transports {
		live := open(f, transport, "bob", "")
		live.want("ready")
		first := f.publish(ann, "news", `{"n":1}`)
		had := live.want("item")
		second := f.publish(ann, "news", `{"n":2}`)
		live.want("item")
		f.correct(ann, "news", second, `{"n":3}`)
		f.correct(ann, "news", first, `{"n":4}`)
		f.correct(ann, "news", first, `{"n":5}`)
		at := ""
		for _, want := range []struct {
			id string
			n  int
		}{{second, 3}, {first, 4}, {first, 5}} {
			g := live.want("item")
			if edited, date := g.edited(); !edited || date == "" || g.field("itemId") != want.id || g.n() != want.n || g.ID <= at {
				t.Errorf("%s, live: %s %s", transport, g.ID, g.Data)
			}
			at = g.ID
		}
		last := f.publish(ann, "news", `{"n":6}`)
		live.want("item")
		away := open(f, transport, "bob", "?cursor="+had.ID) // it has the first item, not the second
		for _, want := range []struct {
			id     string
			n      int
			edited bool
		}{{second, 3, false}, {first, 5, true}, {last, 6, false}} {
			g := away.want("item")
			if edited, date := g.edited(); edited != want.edited || (date == "") != (want.id == last) || g.field("itemId") != want.id || g.n() != want.n {
				t.Errorf("%s, resumed: %s, want %+v", transport, g.Data, want)
			}
		}
		away.want("ready")
		live.close()
		away.close()
	}
}

// TestCorrectionsAmongMessages: corrections that are known before the messages between them are read still belong to their items.
func TestCorrectionsAmongMessages(t *testing.T) {
	f := setUp(t, settings{})
	f.create(ann, "news", nil)
	f.subscribe(bob, "news")
	var ids []string
	for n := range 3 {
		ids = append(ids, f.publish(ann, "news", fmt.Sprintf(`{"n":%d}`, n)))
	}
	cursor := f.head()
	var want []string
	for _, id := range ids {
		f.correct(ann, "news", id, `{"corrected":true}`)
		want = append(want, id)
		for range 40 {
			want = append(want, f.send(ann, "bob", `{"n":1}`))
		}
	}
	for transport := range transports {
		c := open(f, transport, "bob", "?cursor="+cursor)
		for i, id := range want {
			if g := c.next(); g.field("itemId")+g.field("messageId") != id {
				t.Fatalf("%s: event %d is %s %s, want %s", transport, i, g.Event, g.Data, id)
			}
		}
		c.want("ready")
		c.close()
	}
}

// TestManyCorrections: corrections of several channels, many portions deep, come in the order of the log with the items between them, and none
// of what was deleted or is no longer subscribed.
func TestManyCorrections(t *testing.T) {
	f := setUp(t, settings{hub: realtime.Options{Shards: 1}})
	const items = 1500
	text := strings.Repeat("x", 400)
	var ids []string
	for i := range 3 {
		f.create(ann, fmt.Sprint("c", i), nil)
		f.subscribe(bob, fmt.Sprint("c", i))
	}
	for n := range items {
		ids = append(ids, f.publish(ann, fmt.Sprint("c", n%3), fmt.Sprintf(`{"n":%d}`, n)))
	}
	cursor := f.head()
	want := []int{}
	for n := range items {
		if n%3 != 2 {
			want = append(want, items+n)
		}
		f.correct(ann, fmt.Sprint("c", n%3), ids[n], fmt.Sprintf(`{"n":%d,"text":%q}`, items+n, text))
		if n%10 == 0 {
			f.publish(ann, "c0", fmt.Sprintf(`{"n":%d}`, -n))
			want = append(want, -n)
		}
	}
	gone := want[0]
	_, err := f.DeleteItems(context.Background(), ann, ref("c0"), ids[:1])
	f.ok(err)
	_, err = f.Unsubscribe(context.Background(), bob, ref("c2"))
	f.ok(err)
	for transport := range transports {
		c, at := open(f, transport, "bob", "?cursor="+cursor), cursor
		for _, n := range want {
			if n == gone {
				continue
			}
			g := c.next()
			for g.Event == "channel" {
				g = c.next()
			}
			if edited, _ := g.edited(); g.n() != n || edited != (n >= items) || g.ID <= at {
				t.Fatalf("%s: %s %s %.200s, want %d", transport, g.Event, g.ID, g.Data, n)
			}
			at = g.ID
		}
		for g := c.next(); g.Event != "ready"; g = c.next() {
			if g.Event != "channel" {
				t.Fatalf("%s: %s %.200s", transport, g.Event, g.Data)
			}
		}
		c.close()
	}
}
