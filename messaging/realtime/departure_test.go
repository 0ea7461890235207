package realtime_test

import (
	"strings"
	"testing"

	"edict/messaging"
	"edict/messaging/realtime"
)

// departures notes up to where the streams that ended were written.
type departures chan messaging.Position

func (d departures) Left(_ messaging.UserID, seen messaging.Position) { d <- seen }

// at returns the position of an item.
func (f *fixture) at(id string) messaging.Position {
	f.Helper()
	at, ok := f.Codec().ParseItemID(id)
	if !ok {
		f.Fatalf("%q is no item", id)
	}
	return at
}

// TestSeenWhenLeft: it is told up to where a stream was written when it ended: what it wrote live or from the log, and not what waited in its queue.
func TestSeenWhenLeft(t *testing.T) {
	both(t, func(t *testing.T, transport string) {
		left := make(departures, 9)
		f := setUp(t, settings{hub: realtime.Options{Departures: left}})
		f.create(ann, "news", nil)
		f.subscribe(bob, "news")
		before := f.publish(ann, "news", `{"n":0}`)
		c := f.begin(transport, "bob")
		cursor := c.want("ready").ID
		live := f.publish(ann, "news", `{"n":1}`)
		c.want("item")
		c.close()
		if seen := <-left; seen != f.at(live) {
			t.Errorf("a stream that wrote an item was written up to %d, want %d", seen, f.at(live))
		}
		c = open(f, transport, "bob", "?cursor="+cursor)
		c.want("item")
		c.want("ready")
		f.create(ann, "other", nil)
		f.publish(ann, "other", `{"n":2}`) // which is not for bob
		c.close()
		if seen := <-left; seen < f.at(live) {
			t.Errorf("a stream that was resumed was written up to %d, want %d", seen, f.at(live))
		}
		c = f.begin(transport, "bob")
		c.want("ready")
		c.close()
		if seen := <-left; seen < f.at(live) || seen < f.at(before) {
			t.Errorf("a stream without a cursor was written up to %d, want %d", seen, f.at(live))
		}
	})
}

// TestSeenBySlowReader: what a stream could not write any more was not seen.
func TestSeenBySlowReader(t *testing.T) {
	left := make(departures, 9)
	f := setUp(t, settings{hub: realtime.Options{Departures: left, Queue: 1 << 16}})
	f.create(ann, "large", func(c *messaging.NewChannel) { c.MaxPayload = 1 << 20 })
	f.subscribe(bob, "large")
	slow, err := openLight(f, "bob", "")
	f.ok(err)
	defer slow.Close()
	_, err = slow.next("ready")
	f.ok(err)
	large := `{"text":"` + strings.Repeat("x", 1<<19) + `"}`
	var last messaging.Position
	for {
		last = f.at(f.publish(ann, "large", large))
		select {
		case seen := <-left:
			if seen >= last {
				t.Errorf("a stream that was cut was written up to %d, of %d", seen, last)
			}
			return
		default:
		}
	}
}
