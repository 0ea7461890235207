package realtime_test

import (
	"context"
	"testing"
)

// TestReads: the streams of a user hear how far another has read, live, and when they resume the latest.
func TestReads(t *testing.T) {
	f := setUp(t, settings{})
	f.create(ann, "news", nil)
	f.subscribe(bob, "news")
	for transport := range transports {
		c := open(f, transport, "bob", "")
		c.want("ready")
		other := open(f, transport, "ann", "")
		other.want("ready")
		first, second := f.publish(ann, "news", `{"n":1}`), f.publish(ann, "news", `{"n":2}`)
		c.want("item")
		had := c.want("item")
		for _, id := range []string{first, second, first} {
			f.ok(f.MarkRead(context.Background(), bob, ref("news"), id))
		}
		for _, id := range []string{first, second} {
			if g := c.want("read"); g.field("channelName") != "news" || g.field("readUpTo") != id || g.ID <= had.ID {
				t.Errorf("%s: %s %s", transport, g.ID, g.Data)
			}
		}
		c.close()
		away := open(f, transport, "bob", "?cursor="+had.ID)
		if g := away.want("read"); g.field("readUpTo") != second {
			t.Errorf("%s, resumed: %s", transport, g.Data)
		}
		away.want("ready")
		away.close()
		f.publish(ann, "news", `{"n":3}`)
		other.want("item")
		other.want("item")
		other.want("item") // and nothing of what bob has read
		other.close()
	}
}
