package realtime_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"edict/messaging"
	"edict/messaging/realtime"
	"edict/platform/web"
)

// both runs a test over each transport.
func both(t *testing.T, test func(t *testing.T, transport string)) {
	for name := range transports {
		t.Run(name, func(t *testing.T) { test(t, name) })
	}
}

// begin opens a stream that begins at once: a WebSocket without a cursor waits for a resume frame.
func (f *fixture) begin(transport, token string) *client {
	f.Helper()
	c := open(f, transport, token, "")
	if transport == "WebSocket" {
		c.send(`{"type":"resume"}`)
	}
	return c
}

func TestStream(t *testing.T) {
	both(t, func(t *testing.T, transport string) {
		f := setUp(t, settings{})
		f.create(ann, "news", nil)
		f.subscribe(bob, "news")
		c := f.begin(transport, "bob@phone")
		if ready := c.want("ready"); ready.ID == "" {
			t.Error("ready has no id")
		}
		id := f.publish(ann, "news", `{"n":1}`)
		g := c.want("item")
		if g.field("itemId") != id || g.field("channelName") != "news" || g.n() != 1 || g.ID == "" {
			t.Errorf("item: %s %s", g.ID, g.Data)
		}
		message := f.send(ann, "bob", `{"n":2}`)
		if g := c.want("message"); g.field("messageId") != message || g.field("sender") != "ann" || g.n() != 2 || g.ID == "" {
			t.Errorf("message: %s %s", g.ID, g.Data)
		}
	})
}

// TestFrames looks at whole frames.
func TestFrames(t *testing.T) {
	f := setUp(t, settings{})
	f.create(ann, "news", func(n *messaging.NewChannel) { n.Private = true })
	f.subscribe(bob, "ann#news")
	resp, err := (&http.Transport{}).RoundTrip(request(f, "GET", f.url+eventsPath, "bob"))
	f.ok(err)
	defer resp.Body.Close()
	for name, want := range map[string]string{"Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"} {
		if resp.Header.Get(name) != want {
			t.Errorf("%s: %q, want %q", name, resp.Header.Get(name), want)
		}
	}
	id, err := f.Publish(t.Context(), messaging.Caller{UserID: "ann", DeviceID: "desk"}, ref("ann#news"),
		messaging.NewItem{Content: []byte(`{"a":"\n\u00e9","b":1.0}`), MessageType: `q"t`, ContentType: "text/plain"})
	f.ok(err)
	at, _ := f.Codec().ParseItemID(id)
	want := "event: item\nid: " + f.Codec().StreamCursor(at) + "\n" +
		`data: {"channelName":"ann#news","itemId":"` + id + `","publisher":{"userId":"ann","deviceId":"desk"},"content":{"a":"\n\u00e9","b":1.0},` +
		`"metaData":{"creationDate":"` + at.Time().Format("2006-01-02T15:04:05.000-07:00") + `","messageType":"q\"t","contentType":"text/plain"}}` + "\n\n"
	var all strings.Builder
	for !strings.HasSuffix(all.String(), "}}\n\n") {
		b := make([]byte, 512)
		n, err := resp.Body.Read(b)
		f.ok(err)
		all.Write(b[:n])
	}
	head, rest, _ := strings.Cut(all.String(), "\n")
	if !strings.HasPrefix(head, "retry: ") {
		t.Errorf("the stream begins with %q", head)
	}
	if _, rest, _ = strings.Cut(rest, "data: {}\n\n"); rest != want {
		t.Errorf("frame\n%q\nwant\n%q", rest, want)
	}
}

// TestHTTP2 streams over a connection that cannot be taken over.
func TestHTTP2(t *testing.T) {
	f := setUp(t, settings{})
	f.create(ann, "news", nil)
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	c, err := openSSEWith(f, &http.Transport{Protocols: protocols}, "ann", "")
	f.ok(err)
	c.want("ready")
	for n := range 100 {
		f.publish(ann, "news", fmt.Sprintf(`{"n":%d}`, n))
		if g := c.want("item"); g.n() != n {
			t.Fatalf("item %d: %s", n, g.Data)
		}
	}
	f.revoke("ann")
	if g := c.want("end"); !strings.Contains(g.end, "4001") {
		t.Error(g.end)
	}
}

func TestRefused(t *testing.T) {
	both(t, func(t *testing.T, transport string) {
		f := setUp(t, settings{})
		other := messaging.NewCodec(messaging.Identity{Epoch: 1})
		for name, c := range map[string]struct {
			token, query string
			status       int
			says         string
		}{
			"no token":         {"", "", 401, "token"},
			"malformed cursor": {"ann", "?cursor=zz", 400, "malformed"},
			"other epoch":      {"ann", "?cursor=" + other.StreamCursor(7), 409, "another history"},
			"ahead":            {"ann", "?cursor=" + f.Codec().StreamCursor(messaging.MaxPosition), 400, "ahead"},
			"bad ticket":       {"", "?ticket=nothing", 401, ""},
		} {
			_, err := transports[transport](f, c.token, c.query)
			var refused *refusal
			if !errors.As(err, &refused) || refused.status != c.status || !strings.Contains(refused.body, c.says) {
				t.Errorf("%s: %v, want %d", name, err, c.status)
			}
		}
		_, err := transports[transport](f, "", "?ticket=ticket-ann")
		f.ok(err)
	})
}

func TestOrigin(t *testing.T) {
	f := setUp(t, settings{origins: []string{"https://app.example", "https://*.pages.example"}})
	for origin, fine := range map[string]bool{
		"https://app.example": true, "https://APP.example": true, "https://a.pages.example": true, f.url: true,
		"https://evil.example": false, "https://app.example.evil": false, "https://pages.example": false, "http://a.pages.example": false, "null": false,
	} {
		_, err := openWS(f, "ann", "", "Origin: "+origin)
		if (err == nil) != fine {
			t.Errorf("%s: %v", origin, err)
		}
	}
}

func TestResumeFrame(t *testing.T) {
	f := setUp(t, settings{wait: time.Hour})
	f.create(ann, "news", nil)
	head, err := f.BeginStream(t.Context(), ann)
	f.ok(err)
	f.publish(ann, "news", `{"n":1}`)
	c := open(f, "WebSocket", "ann", "")
	f.publish(ann, "news", `{"n":2}`)
	c.send(`{"type":"resume","cursor":"` + f.Codec().StreamCursor(head.Head) + `"}`)
	for n := 1; n <= 2; n++ {
		if g := c.want("item"); g.n() != n {
			t.Errorf("item %d: %s", n, g.Data)
		}
	}
	c.want("ready")
	c.send(`{"type":"resume","cursor":""}`)
	if g := c.want("error"); !strings.Contains(string(g.Data), "has begun") {
		t.Errorf("%s", g.Data)
	}
	for text, says := range map[string]string{
		`{nonsense`: "malformed", `{"type":"dance"}`: "dance", `{"type":"ack","messageId":"x","state":"EATEN"}`: "EATEN",
		`{"type":"ack","messageId":"x","state":"RECEIVED"}`: "no such message", `{"type":7}`: "type",
		`{"type":"ack","messageID":"x","state":"RECEIVED"}`: "did you mean \\\"messageId\\\"?",
	} {
		c.send(text)
		if g := c.want("error"); !strings.Contains(string(g.Data), says) {
			t.Errorf("%s: %s", text, g.Data)
		}
	}

	other := open(f, "WebSocket", "ann", "")
	other.send(`{"type":"resume","cursor":"` + messaging.NewCodec(messaging.Identity{Epoch: 1}).StreamCursor(1) + `"}`)
	if g := other.want("error"); !strings.Contains(string(g.Data), "another history") {
		t.Errorf("%s", g.Data)
	}
	if g := other.want("end"); !strings.Contains(g.end, "4010") {
		t.Error(g.end)
	}
}

// TestRevocation takes access away in every way there is, under an open stream.
func TestRevocation(t *testing.T) {
	ctx := context.Background()
	for name, c := range map[string]struct {
		do   func(f *fixture) error
		ends string // code, or
		says string // change
	}{
		"token revoked":   {do: func(f *fixture) error { f.revoke("bob"); return nil }, ends: "4001"},
		"user removed":    {do: func(f *fixture) error { return f.RemoveUser(ctx, "bob") }, ends: "4003"},
		"unsubscribed":    {do: func(f *fixture) error { _, err := f.Unsubscribe(ctx, bob, ref("ann#club")); return err }, says: "unsubscribed"},
		"invitation gone": {do: func(f *fixture) error { return f.WithdrawInvite(ctx, ann, ref("ann#club"), "bob") }, says: "uninvited"},
		"removed":         {do: func(f *fixture) error { _, err := f.RemoveMember(ctx, ann, ref("ann#club"), "bob"); return err }, says: "removed"},
		"banned":          {do: func(f *fixture) error { return f.Ban(ctx, ann, ref("ann#club"), "bob") }, says: "banned"},
		"channel deleted": {do: func(f *fixture) error { return f.DeleteChannel(ctx, ann, ref("ann#club")) }, says: "deleted"},
		"owner removed":   {do: func(f *fixture) error { return f.RemoveUser(ctx, "ann") }, says: "deleted"},
	} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, transport string) {
				f := setUp(t, settings{})
				f.create(ann, "club", func(n *messaging.NewChannel) { n.Private, n.InviteOnly = true, true })
				f.create(ann, "open", nil)
				_, err := f.Invite(ctx, ann, ref("ann#club"), []messaging.UserID{"bob"})
				f.ok(err)
				f.subscribe(bob, "ann#club")
				f.subscribe(bob, "open")
				s := f.begin(transport, "bob")
				s.want("ready")
				f.publish(ann, "ann#club", `{"n":1}`)
				s.want("item")
				f.ok(c.do(f))
				if c.ends != "" {
					if g := s.want("end"); !strings.Contains(g.end, c.ends) {
						t.Error(g.end)
					}
					return
				}
				if g := s.want("channel"); g.field("change") != c.says || g.field("channelName") != "ann#club" {
					t.Errorf("%s", g.Data)
				}
				if c.says != "deleted" {
					f.publish(ann, "ann#club", `{"n":2}`)
				}
				f.publish(ann, "open", `{"n":3}`)
				if g := s.want("item"); g.n() != 3 {
					t.Errorf("after the end of access: %s", g.Data)
				}
			})
		})
	}
}

func TestDeviceRemoved(t *testing.T) {
	f := setUp(t, settings{})
	phone, desk := f.begin("SSE", "bob@phone"), f.begin("SSE", "bob@desk")
	phone.want("ready")
	desk.want("ready")
	f.ok(f.RemoveDevice(t.Context(), bob, "phone"))
	if g := phone.want("end"); !strings.Contains(g.end, "4003") {
		t.Error(g.end)
	}
	f.send(ann, "bob", `{"n":1}`)
	desk.want("message")
}

func TestSubscribeLive(t *testing.T) {
	both(t, func(t *testing.T, transport string) {
		f := setUp(t, settings{})
		f.create(ann, "news", nil)
		c := f.begin(transport, "bob")
		c.want("ready")
		f.publish(ann, "news", `{"n":1}`)
		f.subscribe(bob, "news")
		if g := c.want("channel"); g.field("change") != "subscribed" {
			t.Errorf("%s", g.Data)
		}
		f.publish(ann, "news", `{"n":2}`)
		if g := c.want("item"); g.n() != 2 {
			t.Errorf("%s", g.Data)
		}
	})
}

func TestStop(t *testing.T) {
	both(t, func(t *testing.T, transport string) {
		f := setUp(t, settings{})
		c := f.begin(transport, "bob")
		c.want("ready")
		f.ok(f.stop())
		if g := c.want("end"); !strings.Contains(g.end, "1001") {
			t.Error(g.end)
		}
	})
}

// TestServerStops: streams end when the server begins to stop, and not only with the hub: the server waits for them.
func TestServerStops(t *testing.T) {
	both(t, func(t *testing.T, transport string) {
		f := setUp(t, settings{})
		c := f.begin(transport, "bob")
		c.want("ready")
		stopped := make(chan error, 1)
		go func() { stopped <- f.leave(context.Background()) }()
		if g := c.want("end"); !strings.Contains(g.end, "1001") {
			t.Error(g.end)
		}
		f.ok(<-stopped)
	})
}

func TestHeartbeat(t *testing.T) {
	f := setUp(t, settings{hub: realtime.Options{Heartbeat: time.Second}})
	resp, err := (&http.Transport{}).RoundTrip(request(f, "GET", f.url+eventsPath, "bob"))
	f.ok(err)
	defer resp.Body.Close()
	var all strings.Builder
	for !strings.Contains(all.String(), "\n:\n:\n") {
		b := make([]byte, 64)
		n, err := resp.Body.Read(b)
		if err != nil {
			t.Fatalf("%v after %q", err, all.String())
		}
		all.Write(b[:n])
	}
}

// TestSlowReader has one client that does not read beside others that do: it alone is cut, and resumes.
func TestSlowReader(t *testing.T) {
	both(t, func(t *testing.T, transport string) {
		f := setUp(t, settings{hub: realtime.Options{Queue: 64 << 10}})
		f.create(ann, "news", nil)
		f.subscribe(bob, "news")
		slow := f.begin(transport, "bob")
		start := slow.want("ready")
		fast := f.begin(transport, "ann")
		fast.want("ready")
		const items = 400
		text := strings.Repeat("x", 64<<10)
		for n := range items {
			f.publish(ann, "news", fmt.Sprintf(`{"n":%d,"text":"%s"}`, n, text))
			if g := fast.want("item"); g.n() != n {
				t.Fatalf("the fast reader got %d in place of %d", g.n(), n)
			}
		}
		next, last := 0, start.ID
		for g := range slow.events {
			if g.Event != "item" {
				break
			}
			if g.n() != next {
				t.Fatalf("the slow reader got %d in place of %d", g.n(), next)
			}
			next, last = next+1, g.ID
		}
		if next == items {
			t.Fatal("the slow reader was not cut")
		}
		again := open(f, transport, "bob", "?cursor="+last)
		for ; next < items; next++ {
			if g := again.want("item"); g.n() != next {
				t.Fatalf("the resumed reader got %d in place of %d", g.n(), next)
			}
		}
		again.want("ready")
	})
}

// presence returns the answer of a caller's request for who is in ann's club.
func (f *fixture) presence(token string) (status int, body string) {
	f.Helper()
	resp, err := http.DefaultClient.Do(request(f, "GET", f.url+"/message/api/v2/channels/ann%23club/presence", token))
	f.ok(err)
	defer resp.Body.Close()
	defer http.DefaultClient.CloseIdleConnections()
	text, err := io.ReadAll(resp.Body)
	f.ok(err)
	return resp.StatusCode, strings.TrimSpace(string(text))
}

// interrupted has streams end, and leave, while they open.
type interrupted struct {
	elsewhere
	end func()
}

func (e *interrupted) Users() []string { return nil }

func (e *interrupted) Entered(context.Context, messaging.UserID) error {
	e.end()
	return nil
}

// TestEndedWhileOpening: a stream that ends while it opens, as all do when a node has missed something, is not left behind: its user is not present.
func TestEndedWhileOpening(t *testing.T) {
	for name, open := range transports {
		t.Run(name, func(t *testing.T) {
			others, left := &interrupted{}, make(departures, 1)
			f := setUp(t, settings{hub: realtime.Options{Elsewhere: others, Departures: left}})
			f.create(ann, "club", func(n *messaging.NewChannel) { n.Private = true })
			f.subscribe(bob, "ann#club")
			others.end = func() {
				f.hub.Revoke("bob", func(*web.Caller) bool { return true })
				<-left
			}
			if c, err := open(f, "bob@phone", ""); err == nil {
				c.close()
			}
			if status, body := f.presence("ann"); status != 200 || body != `{"channelName":"ann#club","count":0,"users":[]}` {
				t.Errorf("%d %s", status, body)
			}
		})
	}
}

func TestPresence(t *testing.T) {
	f := setUp(t, settings{})
	f.create(ann, "club", func(n *messaging.NewChannel) { n.Private = true })
	f.subscribe(bob, "ann#club")
	f.begin("SSE", "bob@phone").want("ready")
	f.begin("WebSocket", "bob").want("ready")
	want := `{"channelName":"ann#club","count":1,"users":[{"userId":"bob","devices":["phone"],"streams":2}]}`
	if status, body := f.presence("ann"); status != 200 || body != want {
		t.Errorf("%d %s", status, body)
	}
	if status, _ := f.presence("cal"); status != 403 {
		t.Errorf("a stranger gets %d", status)
	}
}
