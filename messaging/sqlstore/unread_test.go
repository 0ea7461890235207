package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"testing"

	"golang.org/x/sync/errgroup"

	"edict/messaging"
	"edict/platform/db"
)

// unreadFixture is a store with two readers whose lists are held, and what the database says about them.
type unreadFixture struct {
	*testing.T
	*messaging.Service
	store *Store
	items map[messaging.Ref][]string
}

type anybody struct{}

func (anybody) LookupUsers(_ context.Context, ids []messaging.UserID) (map[string]messaging.User, error) {
	found := map[string]messaging.User{}
	for _, id := range ids {
		found[id.Fold()] = messaging.User{ID: id}
	}
	return found, nil
}

func newUnreadFixture(t *testing.T, o Options) *unreadFixture {
	t.Helper()
	d, err := db.Open(t.Context(), t.TempDir(), db.Options{Logger: slog.New(slog.DiscardHandler)}, Migrations())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	s, err := Open(t.Context(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	return &unreadFixture{T: t, Service: messaging.New(messaging.Config{Store: s, Users: anybody{}}), store: s, items: map[messaging.Ref][]string{}}
}

// check compares what a user gets with what the database says.
func (f *unreadFixture) check(user messaging.UserID) {
	f.Helper()
	var got, want []messaging.Subscription
	err := f.store.View(f.Context(), func(r messaging.Reader) (err error) {
		got, err = r.UnreadOf(user)
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	err = f.store.db.Snapshot(f.Context(), func(q db.Queryer) (err error) {
		want, err = (&reader{q: q}).UnreadOf(user)
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		f.Fatalf("%s gets\n%v, the database has\n%v", user, got, want)
	}
}

// consistent checks that the memory knows what it holds.
func (f *unreadFixture) consistent() {
	f.Helper()
	u := f.store.unread
	u.mu.Lock()
	defer u.mu.Unlock()
	bytes, lists := 0, map[messaging.ChannelID]int{}
	for e := u.used.Front(); e != nil; e = e.Next() {
		l, _ := e.Value.(*unreadList)
		bytes += l.bytes
		for id := range l.first {
			lists[id]++
		}
	}
	if bytes != u.bytes || bytes > u.limit || len(u.lists) != u.used.Len() || len(u.persons) != u.used.Len() || len(lists) != len(u.channels) || u.loads == 0 && u.missed != nil {
		f.Fatalf("%d bytes in %d lists of %d channels; it says %d of %d in %d of %d, %d missed", bytes, u.used.Len(), len(lists), u.bytes, u.limit, len(u.lists), len(u.channels), len(u.missed))
	}
	for id, n := range lists {
		if u.channels[id].lists != n {
			f.Fatalf("channel %d is in %d lists and counts %d", id, n, u.channels[id].lists)
		}
	}
}

var (
	unreadUsers    = []messaging.Caller{{UserID: "ann"}, {UserID: "bob", DeviceID: "phone"}, {UserID: "cal"}}
	errUnreadUndo  = errors.New("undo")
	unreadChannels = []messaging.Ref{{Name: "all"}, {Name: "few"}, {Name: "none"}, {Name: "more"}}
)

// act does something to a channel, as somebody. What is refused changes nothing.
func (f *unreadFixture) act(random *rand.Rand) string {
	ctx, who, ref := f.Context(), unreadUsers[random.IntN(3)], unreadChannels[random.IntN(4)]
	item := "none"
	if all := f.items[ref]; len(all) > 0 {
		item = all[max(0, len(all)-1-random.IntN(8))]
	}
	n := random.IntN(100)
	var err error
	switch {
	case n < 45:
		var id string
		if id, err = f.Publish(ctx, who, ref, messaging.NewItem{Content: []byte(`{"n":1}`)}); err == nil {
			f.items[ref] = append(f.items[ref], id)
		}
	case n < 55:
		err = f.MarkRead(ctx, who, ref, item)
	case n < 65:
		_, err = f.Subscribe(ctx, who, ref, messaging.NewSubscription{Wake: messaging.Wake(random.IntN(3))})
	case n < 67:
		err = f.setWake(who.UserID, messaging.Wake(1+random.IntN(2)))
	case n < 70:
		_, err = f.Unsubscribe(ctx, who, ref)
	case n < 78:
		_, err = f.DeleteItems(ctx, unreadUsers[0], ref, []string{item})
	case n < 80:
		err = f.DeleteAllItems(ctx, unreadUsers[0], ref)
	case n < 84:
		_, err = f.ChangeChannel(ctx, unreadUsers[0], ref, messaging.ChannelChange{MaxItems: new(int64(random.IntN(8) - 1))})
	case n < 88:
		_, err = f.CreateChannel(ctx, unreadUsers[0], newUnreadChannel(ref))
	case n < 89:
		err = f.DeleteChannel(ctx, unreadUsers[0], ref)
	case n < 90:
		err = f.RemoveUser(ctx, unreadUsers[1+random.IntN(2)].UserID)
	default:
		err = f.publishInVain(ref, who)
	}
	return fmt.Sprint(n, " ", who.UserID, " ", ref.Name, ": ", err)
}

func newUnreadChannel(ref messaging.Ref) messaging.NewChannel {
	n := messaging.DefaultNewChannel(ref.Name)
	n.MaxItems = map[string]int64{"all": messaging.Unlimited, "few": 5, "none": 0, "more": 20}[ref.Name]
	return n
}

// publishInVain has an update publish and fail.
func (f *unreadFixture) publishInVain(ref messaging.Ref, who messaging.Caller) error {
	return f.store.Update(f.Context(), func(w messaging.Writer) error {
		c, err := w.Channel(messaging.ChannelKey{Name: ref.Name})
		if err != nil || c == nil {
			return err
		}
		if err := w.AppendItem(c, &messaging.Item{At: w.Next(), Publisher: who.UserID, Content: []byte(`{}`)}); err != nil {
			return err
		}
		return errUnreadUndo
	})
}

// setWake changes the choice of a subscription about wake-ups, and nothing else.
func (f *unreadFixture) setWake(user messaging.UserID, wake messaging.Wake) error {
	return f.store.Update(f.Context(), func(w messaging.Writer) error {
		subs, err := w.SubscriptionsOf(user)
		if err != nil || len(subs) == 0 {
			return err
		}
		return w.SetWake(&subs[0], wake, w.Next())
	})
}

// forget empties the memory.
func (f *unreadFixture) forget() {
	u := f.store.unread
	u.mu.Lock()
	defer u.mu.Unlock()
	for u.used.Len() > 0 {
		l, _ := u.used.Front().Value.(*unreadList)
		u.drop(l)
	}
}

// TestUnreadInMemory: whatever happens, and whatever happens between the reading of a list and its being held, users get what the database has.
func TestUnreadInMemory(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			f := newUnreadFixture(t, Options{UnreadBytes: []int{UnreadBytes, 3000}[seed%2]})
			for _, ref := range unreadChannels {
				if _, err := f.CreateChannel(t.Context(), unreadUsers[0], newUnreadChannel(ref)); err != nil {
					t.Fatal(err)
				}
			}
			for range 200 {
				held := f.readAhead(random)
				for range 1 + random.IntN(4) {
					done := f.act(random)
					if testing.Verbose() {
						t.Log(done)
					}
				}
				held()
				f.consistent()
				for _, who := range unreadUsers {
					f.check(who.UserID)
				}
				f.consistent()
			}
		})
	}
}

// readAhead reads the list of somebody, or a part, as a request does that is then slow, and returns what holds it.
func (f *unreadFixture) readAhead(random *rand.Rand) (hold func()) {
	if random.IntN(2) == 0 {
		return func() {}
	}
	u, user := f.store.unread, unreadUsers[random.IntN(3)].UserID
	end := u.begin()
	d := loaded{key: user.Fold()}
	f.act(random)
	if random.IntN(3) == 0 {
		f.forget()
	} else if random.IntN(2) == 0 {
		d.some = map[messaging.ChannelID]bool{}
		for id := range f.store.cache.ids {
			d.some[id] = true
		}
	}
	err := f.store.db.Snapshot(f.Context(), func(q db.Queryer) error { return (&reader{q: q}).load(user, &d) })
	if err != nil {
		f.Fatal(err)
	}
	return func() {
		defer end()
		if d.person != 0 {
			u.hold(d)
		}
	}
}

// TestUnreadAtOnce: many publish, read and ask at the same time; in the end everybody gets what the database has.
func TestUnreadAtOnce(t *testing.T) {
	f := newUnreadFixture(t, Options{})
	for _, ref := range unreadChannels {
		if _, err := f.CreateChannel(t.Context(), unreadUsers[0], newUnreadChannel(ref)); err != nil {
			t.Fatal(err)
		}
	}
	var all errgroup.Group
	for n, who := range unreadUsers {
		for _, ref := range unreadChannels {
			all.Go(func() error {
				_, err := f.Subscribe(t.Context(), who, ref, messaging.NewSubscription{})
				for i := 0; i < 50 && err == nil; i++ {
					var id string
					if id, err = f.Publish(t.Context(), who, ref, messaging.NewItem{Content: []byte(`{"n":1}`)}); err == nil && i%7 == n {
						// It may have given way to newer ones.
						if failed := f.MarkRead(t.Context(), who, ref, id); failed != nil && messaging.CodeOf(failed) != messaging.CodeNoMessage {
							err = failed
						}
					}
				}
				return err
			})
		}
		all.Go(func() error {
			for range 200 {
				subs, err := f.MySubscriptions(t.Context(), who)
				if err != nil {
					return err
				}
				for _, s := range subs {
					if s.Unread < 0 {
						return fmt.Errorf("%s has %d unread", s.Name, s.Unread)
					}
				}
			}
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
	for _, who := range unreadUsers {
		f.check(who.UserID)
	}
	f.consistent()
}

// TestUnreadHoldsWhatItCaughtUp: a list whose user did something while it was read is held, with that; one whose user went is not.
func TestUnreadHoldsWhatItCaughtUp(t *testing.T) {
	f := newUnreadFixture(t, Options{})
	ref, bob := unreadChannels[0], unreadUsers[1]
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	publish := func() {
		t.Helper()
		_, err := f.Publish(t.Context(), bob, ref, messaging.NewItem{Content: []byte(`{"n":1}`)})
		ok(err)
	}
	_, err := f.CreateChannel(t.Context(), unreadUsers[0], newUnreadChannel(ref))
	ok(err)
	_, err = f.Subscribe(t.Context(), bob, ref, messaging.NewSubscription{})
	ok(err)
	for name, test := range map[string]struct {
		do   func()
		held bool
	}{
		"published": {publish, true}, "gone": {func() { ok(f.RemoveUser(t.Context(), bob.UserID)) }, false},
	} {
		f.forget()
		end := f.store.unread.begin()
		d := loaded{key: bob.UserID.Fold()}
		ok(f.store.db.Snapshot(t.Context(), func(q db.Queryer) error { return (&reader{q: q}).load(bob.UserID, &d) }))
		test.do()
		if _, held := f.store.unread.hold(d); held != test.held {
			t.Errorf("%s: held is %v", name, held)
		}
		end()
		f.check(bob.UserID)
		_, err = f.Subscribe(t.Context(), bob, ref, messaging.NewSubscription{})
		ok(err)
	}
}

// TestUnreadAfterLargeTrim: what is unread is right when a change of the channel has taken more items than are removed at once, and later ones follow.
func TestUnreadAfterLargeTrim(t *testing.T) {
	f := newUnreadFixture(t, Options{})
	ref, ann, bob := unreadChannels[0], unreadUsers[0], unreadUsers[1]
	_, err := f.CreateChannel(t.Context(), ann, newUnreadChannel(ref))
	if err == nil {
		_, err = f.Subscribe(t.Context(), bob, ref, messaging.NewSubscription{})
	}
	for n := 0; n < trimAtOnce+20 && err == nil; n++ {
		_, err = f.Publish(t.Context(), ann, ref, messaging.NewItem{Content: []byte(`{"n":1}`)})
	}
	if err != nil {
		t.Fatal(err)
	}
	f.check(bob.UserID)
	if _, err := f.ChangeChannel(t.Context(), ann, ref, messaging.ChannelChange{MaxItems: new(int64(10))}); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		f.check(bob.UserID)
		if _, err := f.Publish(t.Context(), ann, ref, messaging.NewItem{Content: []byte(`{"n":1}`)}); err != nil {
			t.Fatal(err)
		}
	}
	f.check(bob.UserID)
}

// TestUnreadOfDevices: the subscriptions of a user's devices to one channel are counted each.
func TestUnreadOfDevices(t *testing.T) {
	f := newUnreadFixture(t, Options{})
	ref, ann, bob := unreadChannels[0], unreadUsers[0], unreadUsers[1]
	_, err := f.CreateChannel(t.Context(), ann, newUnreadChannel(ref))
	for _, device := range []string{"phone", "desk"} {
		if err == nil {
			_, err = f.RegisterDevice(t.Context(), bob, messaging.NewDevice{ID: device})
		}
		if err == nil {
			_, err = f.Subscribe(t.Context(), bob, ref, messaging.NewSubscription{Device: device})
		}
	}
	for _, who := range []messaging.Caller{ann, bob, ann, bob, bob} {
		if err == nil {
			_, err = f.Publish(t.Context(), who, ref, messaging.NewItem{Content: []byte(`{"n":1}`)})
		}
		if err != nil {
			t.Fatal(err)
		}
		f.check(bob.UserID)
	}
}

// TestTotals: a page says how many channels there are in all, whether it is full, the last, or beyond the end.
func TestTotals(t *testing.T) {
	f := newUnreadFixture(t, Options{})
	if got := f.store.unread.limit; got != UnreadBytes {
		t.Errorf("lists may take %d bytes where nothing is said", got)
	}
	for _, ref := range unreadChannels {
		if _, err := f.CreateChannel(t.Context(), unreadUsers[0], newUnreadChannel(ref)); err != nil {
			t.Fatal(err)
		}
	}
	for offset, want := range []int{2, 2, 2, 1, 0, 0} {
		found, total, err := f.SearchChannels(t.Context(), unreadUsers[0], messaging.Search{Offset: offset, Size: 2})
		if err != nil || len(found) != want || total != len(unreadChannels) {
			t.Errorf("from %d on: %d of %d, %v", offset, len(found), total, err)
		}
	}
}

// TestFirstUser: what waits for the user who was the first to be known moves to a device as that of others does.
func TestFirstUser(t *testing.T) {
	f := newUnreadFixture(t, Options{})
	ann := unreadUsers[0]
	sent, err := f.Send(t.Context(), ann, messaging.NewMessage{Recipients: []messaging.UserID{ann.UserID}, Content: []byte(`{"n":1}`), Receipt: true})
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.RegisterDevice(t.Context(), ann, messaging.NewDevice{ID: "phone", Push: &messaging.Push{Service: "fcm", Target: []byte(`{"token":"x"}`)}})
	if err != nil {
		t.Fatal(err)
	}
	st, err := f.MessageStatus(t.Context(), ann, sent.MessageID)
	if err != nil || len(st.Copies) != 1 || st.Copies[0].Device != "phone" || st.Copies[0].State != messaging.StateWakeupRequired {
		t.Errorf("%+v, %v", st.Copies, err)
	}
}

// TestUnreadMissesTooMuch: what is read while more is committed than is remembered is not held.
func TestUnreadMissesTooMuch(t *testing.T) {
	u := newUnread(UnreadBytes)
	end := u.begin()
	u.commit(7, make([]change, maxMissed+1))
	if _, ok := u.hold(loaded{key: "ann", person: 1, head: 6}); ok {
		t.Error("it is held")
	}
	if _, ok := u.hold(loaded{key: "ann", person: 1, head: 8}); ok {
		t.Error("what it was not told of yet is held")
	}
	if _, ok := u.hold(loaded{key: "ann", person: 1, head: 7}); !ok {
		t.Error("what is up to date is not held")
	}
	end()
	for i := range maxStale + 1 {
		u.commit(messaging.Position(8+i), []change{{kind: subscribedOrRead, channel: messaging.ChannelID(i), person: 1}})
	}
	if _, _, ok := u.of("ann"); ok {
		t.Error("a list remembers everything that is to be read again")
	}
}
