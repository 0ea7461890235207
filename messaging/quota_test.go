package messaging_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"edict/messaging"
	"edict/platform/fault"
)

// text is content of n bytes.
func text(n int) string { return fmt.Sprintf(`{"t":%q}`, strings.Repeat("x", n-8)) }

// TestUserQuota: only stored bytes count, of items and of messages; each day begins with none.
func TestUserQuota(t *testing.T) {
	limits := messaging.DefaultLimits()
	limits.UserBytesDay = 1000
	f := setUp(t, limits)
	r := f.create(ann, "news", nil)
	f.publish(ann, r, text(400))
	for range 3 { // requests that fail for another reason cost nothing
		_, err := f.Publish(t.Context(), ann, bare("nothing"), messaging.NewItem{Content: []byte(text(500))})
		f.refused(err, messaging.CodeNoChannel, fault.NotFound, "does not exist")
	}
	once := messaging.NewItem{Content: []byte(text(300)), IdempotencyKey: "k"}
	for range 3 { // nor do repeated requests
		_, err := f.Publish(t.Context(), ann, r, once)
		f.ok(err)
	}
	_, err := f.Publish(t.Context(), ann, r, messaging.NewItem{Content: []byte(text(301))})
	f.refused(err, messaging.CodeRateLimit, fault.TooMany, "you stored 700 bytes today and this has 301; the limit is 1000")
	if wait := fault.From(err).RetryAfter; wait != 12*3600+1 {
		t.Errorf("at noon the caller is to wait for %d s", wait)
	}
	_, err = f.Send(t.Context(), ann, messaging.NewMessage{Recipients: []messaging.UserID{"bob"}, Content: []byte(text(301))})
	f.refused(err, messaging.CodeRateLimit, fault.TooMany, "this has 301")
	id := f.publish(bob, r, text(900))
	_, err = f.CorrectItem(t.Context(), bob, r, id, messaging.NewContent{Content: []byte(text(101))})
	f.refused(err, messaging.CodeRateLimit, fault.TooMany, "you stored 900 bytes")
	f.publish(root, r, text(5000))
	f.now = f.now.Add(12 * time.Hour)
	f.publish(ann, r, text(1000))
}

// TestUserQuotaOfNodes: servers on one store divide the quota.
func TestUserQuotaOfNodes(t *testing.T) {
	f := setUp(t, messaging.DefaultLimits())
	r := f.create(ann, "news", nil)
	limits := messaging.DefaultLimits()
	limits.UserBytesDay = 1000
	node := messaging.New(messaging.Config{Store: f.store, Users: f, Limits: limits, Now: func() time.Time { return f.now }, Nodes: func() int { return 4 }})
	_, err := node.Publish(t.Context(), ann, r, messaging.NewItem{Content: []byte(text(250))})
	f.ok(err)
	_, err = node.Publish(t.Context(), ann, r, messaging.NewItem{Content: []byte(text(10))})
	f.refused(err, messaging.CodeRateLimit, fault.TooMany, "the limit is 250")
}

// TestChannelQuota: full channels accept items after deletions, and channels that keep no items are never full.
func TestChannelQuota(t *testing.T) {
	limits := messaging.DefaultLimits()
	limits.ChannelBytes = 1000
	f := setUp(t, limits)
	r := f.create(ann, "news", nil)
	id := f.publish(ann, r, text(600))
	f.publish(ann, r, text(400))
	_, err := f.Publish(t.Context(), ann, r, messaging.NewItem{Content: []byte(text(9))})
	f.refused(err, messaging.CodeTooLarge, fault.TooLarge, "channel news keeps 1000 bytes of content and this item has 9; the limit is 1000: delete items, or set maxItems or maxAge")
	_, err = f.CorrectItem(t.Context(), ann, r, id, messaging.NewContent{Content: []byte(text(601))})
	f.refused(err, messaging.CodeTooLarge, fault.TooLarge, "the limit is 1000")
	_, err = f.DeleteItems(t.Context(), ann, r, []string{id})
	f.ok(err)
	f.publish(ann, r, text(600))
	f.ok(f.DeleteAllItems(t.Context(), ann, r))
	f.publish(ann, r, text(1000))
	live := f.create(ann, "live", func(n *messaging.NewChannel) { n.MaxItems = 0 })
	for range 3 {
		f.publish(ann, live, text(900))
	}
}

// TestBelowReserve: while only the reserve of the disk is left, operations that store new data fail and the others succeed.
func TestBelowReserve(t *testing.T) {
	f := setUp(t, messaging.DefaultLimits())
	r := f.create(ann, "news", nil)
	own := f.create(ann, "own", func(n *messaging.NewChannel) { n.Private = true })
	id := f.publish(ann, r, `{"n":1}`)
	full := fault.New(fault.Full, "the disk is full")
	s := messaging.New(messaging.Config{Store: f.store, Users: f, Now: func() time.Time { return f.now }, MayGrow: func() error { return full }})
	ctx := t.Context()
	for name, do := range map[string]func() error{
		"publish": func() error {
			_, err := s.Publish(ctx, ann, r, messaging.NewItem{Content: []byte(`{"n":2}`)})
			return err
		},
		"correct": func() error {
			_, err := s.CorrectItem(ctx, ann, r, id, messaging.NewContent{Content: []byte(`{"n":3}`)})
			return err
		},
		"send": func() error {
			_, err := s.Send(ctx, ann, messaging.NewMessage{Recipients: []messaging.UserID{"bob"}, Content: []byte(`{"n":4}`)})
			return err
		},
		"create":    func() error { _, err := s.CreateChannel(ctx, ann, messaging.DefaultNewChannel("more")); return err },
		"subscribe": func() error { _, err := s.Subscribe(ctx, bob, r, messaging.NewSubscription{}); return err },
		"tag":       func() error { return s.AddTags(ctx, ann, r, []string{"new"}) },
		"invite":    func() error { _, err := s.Invite(ctx, ann, own, []messaging.UserID{"bob"}); return err },
		"register":  func() error { _, err := s.RegisterDevice(ctx, ann, messaging.NewDevice{ID: "phone"}); return err },
	} {
		if err := do(); !errors.Is(err, full) || messaging.CodeOf(err) != messaging.CodeFull {
			t.Errorf("%s: %v, code %d", name, err, messaging.CodeOf(err))
		}
	}
	_, err := s.ChangeChannel(ctx, ann, r, messaging.ChannelChange{MaxItems: new(int64(1))})
	f.ok(err)
	_, err = s.FetchItems(ctx, ann, r, messaging.Fetch{Size: 10})
	f.ok(err)
	_, err = s.DeleteItems(ctx, ann, r, []string{id})
	f.ok(err)
	f.ok(s.DeleteChannel(ctx, ann, r))
	_, err = s.Sweep(ctx)
	f.ok(err)
}

// TestKeeping: the server's maxima hold for channels without lower ones, and channels cannot ask for more.
func TestKeeping(t *testing.T) {
	limits := messaging.DefaultLimits()
	limits.ChannelItems, limits.ChannelAge = 10, time.Hour
	f := setUp(t, limits)
	for name, change := range map[string]func(*messaging.NewChannel){
		"up to 10 items":  func(n *messaging.NewChannel) { n.MaxItems = 11 },
		"for up to 3600":  func(n *messaging.NewChannel) { n.MaxAge = 2 * time.Hour },
		"whole seconds":   func(n *messaging.NewChannel) { n.MaxAge = time.Millisecond },
		"maxAge is -1s: ": func(n *messaging.NewChannel) { n.MaxAge = -time.Second },
	} {
		n := messaging.DefaultNewChannel("x")
		change(&n)
		_, err := f.CreateChannel(t.Context(), ann, n)
		f.refused(err, messaging.CodeIllegalArgument, fault.Invalid, name)
	}
	for _, c := range []struct {
		channel messaging.Channel
		items   int64
		age     time.Duration
	}{
		{messaging.Channel{MaxItems: messaging.Unlimited}, 10, time.Hour},
		{messaging.Channel{MaxItems: 20, MaxAge: 2 * time.Hour}, 10, time.Hour}, // made under other limits
		{messaging.Channel{MaxItems: 3, MaxAge: time.Minute}, 3, time.Minute},
		{messaging.Channel{MaxItems: 0}, 0, time.Hour},
	} {
		if items, age := limits.KeepsItems(&c.channel), limits.KeepsFor(&c.channel); items != c.items || age != c.age {
			t.Errorf("%+v keeps %d items for %v", c.channel, items, age)
		}
	}
	for text, want := range map[string]time.Duration{"0": 0, "60": time.Minute, "90s": 90 * time.Second, "1h30m": 90 * time.Minute, "24h": 24 * time.Hour} {
		if got, err := messaging.ParseAge(text); err != nil || got != want {
			t.Errorf("%s is %v: %v", text, got, err)
		}
	}
	for _, text := range []string{"", "-1", "-1s", "1ms", "soon", "1.5", "1d"} {
		if _, err := messaging.ParseAge(text); messaging.CodeOf(err) != messaging.CodeIllegalArgument {
			t.Errorf("%q: %v", text, err)
		}
	}
}
