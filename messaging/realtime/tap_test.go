package realtime_test

import (
	"context"
	"net/http"
	"testing"

	"edict/messaging"
)

// TestTapShowsItsChannelAlone: items and changes of the channel, not what is for the operator as a user; it is resumed, follows changes, and
// ends with the channel's deletion told.
func TestTapShowsItsChannelAlone(t *testing.T) {
	both(t, func(t *testing.T, transport string) {
		f := setUp(t, settings{})
		ctx := context.Background()
		f.create(ann, "club", func(n *messaging.NewChannel) { n.Private, n.InviteOnly = true, true })
		f.create(ann, "other", nil)
		f.subscribe(messaging.Caller{UserID: "root"}, "other")
		c, err := transports[transport](f, "root", "/admin/events?channel=ann%23club")
		f.ok(err)
		c.want("ready")
		f.publish(ann, "other", `{"n":1}`)
		f.send(ann, "root", `{"n":2}`)
		f.publish(ann, "ann#club", `{"n":3}`)
		g := c.want("item")
		if g.n() != 3 || g.field("channelName") != "ann#club" {
			t.Errorf("%s", g.Data)
		}
		f.publish(ann, "ann#club", `{"n":4}`)
		again, err := transports[transport](f, "root", "/admin/events?channel=ann%23club&cursor="+g.ID)
		f.ok(err)
		if g := again.want("item"); g.n() != 4 {
			t.Errorf("resumed: %s", g.Data)
		}
		again.want("ready")
		if g := c.want("item"); g.n() != 4 {
			t.Errorf("%s", g.Data)
		}
		f.ok(f.DeleteChannel(ctx, ann, ref("ann#club")))
		for _, c := range []*client{c, again} {
			if g := c.want("channel"); g.field("change") != "deleted" {
				t.Errorf("%s", g.Data)
			}
		}
		f.revoke("root")
		for _, c := range []*client{c, again} {
			if g := c.next(); g.end == "" {
				t.Errorf("after the revocation comes %s %s", g.Event, g.Data)
			}
		}
	})
}

// TestTapIsRefused: to those who are no admins, and without the name of one channel that is there.
func TestTapIsRefused(t *testing.T) {
	f := setUp(t, settings{})
	f.create(ann, "news", nil)
	for query, want := range map[string]int{
		"?channel=news": http.StatusOK, "": http.StatusBadRequest, "?channel=": http.StatusBadRequest, "?channel=news&channel=news": http.StatusBadRequest,
		"?channel=none": http.StatusNotFound, "?channel=news&personal=x": http.StatusBadRequest, "?channel=news&cursor=x": http.StatusBadRequest,
	} {
		resp, err := http.DefaultClient.Do(request(f, "GET", f.url+"/message/api/v2/admin/events"+query, "root"))
		f.ok(err)
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s: %s, want %d", query, resp.Status, want)
		}
	}
	resp, err := http.DefaultClient.Do(request(f, "GET", f.url+"/message/api/v2/admin/events?channel=news", "bob"))
	f.ok(err)
	resp.Body.Close()
	if resp.StatusCode != http.StatusForbidden {
		t.Errorf("bob: %s", resp.Status)
	}
}
