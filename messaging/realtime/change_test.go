package realtime_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"edict/messaging"
)

// changesUntil collects the changes of channels that a client gets before an event, and the last cursor.
func (c *client) changesUntil(event string) (changes []string, cursor string) {
	c.f.Helper()
	for {
		g := c.next()
		if g.ID != "" {
			cursor = g.ID
		}
		switch g.Event {
		case event:
			return changes, cursor
		case "channel":
			changes = append(changes, g.field("channelName")+" "+g.field("change"))
		default:
			changes = append(changes, g.Event)
		}
	}
}

// TestChangesResume gives a stream that was away the latest change of each channel and of each tie, among the items, and each once.
func TestChangesResume(t *testing.T) {
	ctx := context.Background()
	both(t, func(t *testing.T, transport string) {
		f := setUp(t, settings{})
		invite := func(name string) {
			_, err := f.Invite(ctx, ann, ref(name), []messaging.UserID{"bob"})
			f.ok(err)
		}
		for _, name := range []string{"left", "gone", "stays"} {
			f.create(ann, name, nil)
			f.subscribe(bob, name)
		}
		f.create(ann, "club", func(n *messaging.NewChannel) { n.Private, n.InviteOnly = true, true })
		f.create(ann, "other", func(n *messaging.NewChannel) { n.Private, n.InviteOnly = true, true })
		cursor := f.head()
		f.publish(ann, "stays", `{"n":1}`)
		invite("ann#club")
		_, err := f.Unsubscribe(ctx, bob, ref("left"))
		f.ok(err)
		f.publish(ann, "stays", `{"n":2}`)
		f.ok(f.DeleteChannel(ctx, ann, ref("gone")))
		f.subscribe(bob, "ann#club")
		invite("ann#other")
		f.ok(f.WithdrawInvite(ctx, ann, ref("ann#other"), "bob"))

		want := "[item ann#club invited left unsubscribed item gone deleted ann#club subscribed ann#other uninvited]"
		c := open(f, transport, "bob", "?cursor="+cursor)
		got, _ := c.changesUntil("ready")
		if fmt.Sprint(got) != want {
			t.Errorf("after being away: %v, want %v", got, want)
		}
		f.ok(f.WithdrawInvite(ctx, ann, ref("ann#club"), "bob"))
		if g := c.want("channel"); g.field("change") != "uninvited" {
			t.Errorf("live: %s", g.Data)
		}
		again := open(f, transport, "bob", "?cursor="+cursor)
		want = "[item left unsubscribed item gone deleted ann#other uninvited ann#club uninvited]"
		if got, _ := again.changesUntil("ready"); fmt.Sprint(got) != want {
			t.Errorf("once more: %v, want %v", got, want)
		}
		if got, _ := open(f, transport, "cal", "?cursor="+cursor).changesUntil("ready"); len(got) != 0 {
			t.Errorf("somebody else: %v", got)
		}
	})
}

// TestChangesMeet has somebody's ties change all the time while their client comes and goes: no event comes twice, each is after the one
// before, and what the client heard last of a channel is how it is.
func TestChangesMeet(t *testing.T) {
	ctx := context.Background()
	f := setUp(t, settings{})
	const channels, rounds = 4, 400
	for i := range channels {
		f.create(ann, fmt.Sprint("c", i), nil)
	}
	at := f.head()
	stopped := make(chan struct{})
	last := map[string]string{} // change by channel
	var mu sync.Mutex
	go func() {
		defer close(stopped)
		random := rand.New(rand.NewPCG(1, 2))
		for range rounds {
			name := fmt.Sprint("c", random.IntN(channels))
			mu.Lock()
			on := last[name] == "subscribed"
			mu.Unlock()
			change, err := "subscribed", error(nil)
			if on {
				change = "unsubscribed"
				_, err = f.Unsubscribe(ctx, bob, ref(name))
			} else {
				_, err = f.Subscribe(ctx, bob, ref(name), messaging.NewSubscription{})
			}
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			last[name] = change
			mu.Unlock()
			f.publish(ann, name, `{"n":1}`)
		}
		f.send(ann, "bob", `{"n":2}`)
	}()
	heard := map[string]string{}
	random := rand.New(rand.NewPCG(3, 4))
	for over := false; !over; {
		c := open(f, []string{"SSE", "WebSocket"}[random.IntN(2)], "bob", "?cursor="+at)
		for range 1 + random.IntN(30) {
			g := c.next()
			// "ready" has the cursor of the event before it.
			if g.ID < at || g.ID == at && g.Event != "ready" {
				t.Fatalf("%s %s comes after %s", g.Event, g.ID, at)
			}
			at = g.ID
			if g.Event == "channel" {
				heard[g.field("channelName")] = g.field("change")
			}
			if over = g.Event == "message"; over {
				break
			}
		}
		c.close()
	}
	<-stopped
	if got, want := fmt.Sprint(heard), fmt.Sprint(last); got != want {
		t.Errorf("heard %s, want %s", got, want)
	}
}

// TestChangedResume: subscribers hear that a record changed, live and when they come back, the last change of each; a lower maximum is a gap.
func TestChangedResume(t *testing.T) {
	ctx := context.Background()
	both(t, func(t *testing.T, transport string) {
		f := setUp(t, settings{})
		change := func(d messaging.ChannelChange) {
			_, err := f.ChangeChannel(ctx, ann, ref("news"), d)
			f.ok(err)
		}
		f.create(ann, "news", nil)
		f.subscribe(bob, "news")
		c := f.begin(transport, "bob")
		c.want("ready")
		cursor := f.head()
		for n := range 5 {
			f.publish(ann, "news", fmt.Sprintf(`{"n":%d}`, n))
			c.want("item")
		}
		for _, text := range []string{"one", "two", "two"} { // the last one changes nothing
			change(messaging.ChannelChange{Description: &text})
		}
		most := int64(2)
		change(messaging.ChannelChange{MaxItems: &most})
		f.publish(ann, "news", `{"n":5}`)
		if got, _ := c.changesUntil("item"); fmt.Sprint(got) != "[news changed news changed news changed]" {
			t.Errorf("live: %v", got)
		}
		if got, _ := open(f, transport, "bob", "?cursor="+cursor).changesUntil("ready"); fmt.Sprint(got) != "[gap item news changed item]" {
			t.Errorf("after being away: %v", got)
		}
		f.subscribe(messaging.Caller{UserID: "cal"}, "news")
		if got, _ := open(f, transport, "cal", "?cursor="+cursor).changesUntil("ready"); fmt.Sprint(got) != "[news subscribed]" {
			t.Errorf("whoever came later: %v", got)
		}
	})
}
