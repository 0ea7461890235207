package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"edict/messaging"
	"edict/messaging/sqlstore"
	"edict/platform/db"
	"edict/platform/db/pgtest"
	"edict/platform/fault"
)

// streams is the streams of a node.
type streams struct {
	mu    sync.Mutex
	users map[string]map[string]int
}

func (s *streams) StreamsOf(user string) map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.users[user])
}

func (s *streams) ConnectedUsers() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.users))
}

func (s *streams) add(user, device string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	devices := s.users[user]
	if devices == nil {
		devices = map[string]int{}
		s.users[user] = devices
	}
	if devices[device] += n; devices[device] == 0 {
		delete(devices, device)
	}
	if len(devices) == 0 {
		delete(s.users, user)
	}
}

// station is a node with its streams.
type station struct {
	*testing.T
	db       *db.DB
	store    *sqlstore.Store
	streams  streams
	presence *sqlstore.Presence
	left     *messaging.Departures
	service  *messaging.Service
	close    func()
}

// LookupUsers implements messaging.Users: everybody exists.
func (s *station) LookupUsers(_ context.Context, ids []messaging.UserID) (map[string]messaging.User, error) {
	users := map[string]messaging.User{}
	for _, id := range ids {
		users[id.Fold()] = messaging.User{ID: id}
	}
	return users, nil
}

// Announce implements messaging.Announcer, for nobody.
func (s *station) Announce([]messaging.Event) {}

// Connected implements messaging.Presence.
func (s *station) Connected(user messaging.UserID, device string) bool {
	here := s.streams.StreamsOf(user.Fold())
	return here[device]+here[""] > 0 || s.presence.Connected(user, device)
}

// patience is how long a test waits for what is to happen, on a machine that may stand still.
const patience = time.Minute

// newStation opens a node on the data that a directory stands for. It knows who is connected to the others when it returns.
func newStation(t *testing.T, dir string, begin func(*streams)) *station {
	t.Helper()
	s := &station{T: t, streams: streams{users: map[string]map[string]int{}}}
	if begin != nil {
		begin(&s.streams)
	}
	d, store := openPostgres(t, dir, nil)
	s.db, s.store = d, store.(*sqlstore.Store)
	s.presence = sqlstore.NewPresence(d, slog.New(slog.DiscardHandler))
	s.presence.WaitFor(patience)
	s.left = messaging.NewDepartures()
	s.presence.Begin(&s.streams, func(users []string) { s.left.Lost(users, time.Now()) })
	s.service = messaging.New(messaging.Config{Store: store, Users: s, Presence: s, Announcer: s, Log: slog.New(slog.DiscardHandler)})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 2)
	go func() { ended <- s.presence.Run(ctx) }()
	go func() { ended <- s.left.Run(ctx, s.service, s.presence.Tell) }()
	s.close = sync.OnceFunc(func() {
		cancel()
		if err := errors.Join(<-ended, <-ended); err != nil {
			t.Error(err)
		}
		_ = d.Close()
	})
	t.Cleanup(s.close)
	s.must(s.presence.Await(t.Context()))
	return s
}

func (s *station) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// patiently does what the store may be unable to do for a moment: a write gives up when the machine is too slow.
func (s *station) patiently(do func() error) {
	s.Helper()
	err := do()
	for end := time.Now().Add(patience); fault.KindOf(err) == fault.Unavailable && time.Now().Before(end); err = do() {
		time.Sleep(5 * time.Millisecond) // nobody tells when the store can be reached again
	}
	s.must(err)
}

// catchUp returns when the node has what was committed before.
func (s *station) catchUp() {
	s.Helper()
	s.patiently(func() error { return s.db.CatchUp(s.Context()) })
}

// enter has a user connect.
func (s *station) enter(user, device string) {
	s.Helper()
	s.streams.add(user, device, 1)
	s.patiently(func() error { return s.presence.Entered(s.Context(), messaging.UserID(user)) })
}

// leave has a user go.
func (s *station) leave(user, device string) {
	s.streams.add(user, device, -1)
	s.left.Left(messaging.UserID(user), messaging.MaxPosition)
}

// sees waits until a node knows of the streams of a user elsewhere.
func (s *station) sees(user string, want map[string]int) {
	s.Helper()
	var got map[string]int
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) { // nobody tells when another node has told
		s.catchUp()
		if got = s.presence.Streams(messaging.UserID(user)); maps.Equal(got, want) {
			return
		}
	}
	s.Fatalf("streams of %s elsewhere: %v, want %v", user, got, want)
}

// TestPresence: nodes know who is connected to the others: at once of who comes, soon of who goes, from the beginning of who was there before, and
// again after something was missed; of a node that is gone nobody is connected.
func TestPresence(t *testing.T) {
	pgtest.Server(t)
	dir := t.TempDir()
	const before = 4500 // more than one notice tells of
	a := newStation(t, dir, nil)
	for i := range before {
		a.streams.add(fmt.Sprint("user", i), "", 1) // while it is alone it tells nobody
	}
	a.enter("ann", "phone")
	b := newStation(t, dir, nil)
	if n := len(b.presence.Users()); n != before+1 || !b.presence.Connected("user17", "any") || b.presence.Nodes() != 2 {
		t.Errorf("a node that came knows of %d users, %d nodes", n, b.presence.Nodes())
	}

	// At once.
	a.enter("ann", "tablet")
	b.catchUp()
	if got := b.presence.Streams("ANN"); !maps.Equal(got, map[string]int{"phone": 1, "tablet": 1}) {
		t.Errorf("streams of ann: %v", got)
	}
	for device, want := range map[string]bool{"phone": true, "watch": false, "": true} {
		if got := b.presence.Connected("Ann", device); got != want {
			t.Errorf("ann's %q is connected: %v", device, got)
		}
	}
	if a.presence.Connected("ann", "") {
		t.Error("a node takes its own streams for another's")
	}

	// A third adds to what is known, and who leaves is gone.
	c := newStation(t, dir, nil)
	c.enter("ann", "phone")
	b.sees("ann", map[string]int{"phone": 2, "tablet": 1})
	a.leave("ann", "phone")
	a.leave("ann", "tablet")
	b.sees("ann", map[string]int{"phone": 1})
	c.leave("ann", "phone")
	b.sees("ann", nil)

	// A node that was taken for dead tells everything again, and asks for it.
	a.enter("bob", "phone")
	dead := func() {
		c.patiently(func() error {
			return c.db.Write(t.Context(), func(tx *db.Tx) error { return tx.Put("UPDATE node SET lease = 0 WHERE id = ?", b.db.Node()) })
		})
	}
	dead()
	b.enter("cal", "phone")
	a.sees("cal", map[string]int{"phone": 1})
	b.sees("bob", map[string]int{"phone": 1})

	// Who left unheard is not among everything that is told.
	a.streams.add("bob", "phone", -1)
	dead()
	b.enter("cal", "tablet")
	b.sees("bob", nil)
	a.enter("bob", "phone")
	b.sees("bob", map[string]int{"phone": 1})
	a.streams.add("bob", "phone", -1)
	a.must(a.presence.Tell(t.Context(), nil))
	b.sees("bob", nil)
	a.enter("bob", "phone")
	b.sees("bob", map[string]int{"phone": 1})

	// Nobody is connected to one that is gone.
	a.close()
	b.sees("bob", nil)
	if n := len(b.presence.Users()); n != 0 {
		t.Errorf("%d users are connected to a node that is gone", n)
	}
}

// TestClaimWhileConnecting: a device that connects to one node while another claims its wake-up does not count as woken afterwards, so that items
// wake it when it has gone.
func TestClaimWhileConnecting(t *testing.T) {
	pgtest.Server(t)
	dir := t.TempDir()
	a, b := newStation(t, dir, nil), newStation(t, dir, nil)
	owner, phone := messaging.Caller{UserID: "ann"}, messaging.Caller{UserID: "bob", DeviceID: "phone"}
	news := messaging.Ref{Name: "news"}
	_, err := a.service.CreateChannel(t.Context(), owner, messaging.NewChannel{Name: "news", SubscriptionEnabled: true, Permission: messaging.PublishAnyone, MaxItems: 100, MaxPayload: 100})
	a.must(err)
	_, err = a.service.RegisterDevice(t.Context(), phone, messaging.NewDevice{ID: "phone", Push: &messaging.Push{Service: "webpush", Target: []byte(`{"endpoint":"https://push.example"}`)}})
	a.must(err)
	sub, err := a.service.Subscribe(t.Context(), phone, news, messaging.NewSubscription{Wake: messaging.WakeAll})
	a.must(err)
	claimed, kept := 0, 0
	for round := range 40 {
		_, err := b.service.Publish(t.Context(), owner, news, messaging.NewItem{Content: []byte(`{"n":1}`)})
		b.must(err)
		b.must(b.store.Update(t.Context(), func(w messaging.Writer) error {
			now := w.Next()
			return w.QueueForItem(messaging.Sleeper{User: "bob", Device: "phone", Service: "webpush"}, sub.Channel, now, now.Time())
		}))
		var wg sync.WaitGroup
		wg.Go(func() {
			got, err := b.service.ClaimWakeups(t.Context(), "webpush", 10, time.Minute)
			if err != nil {
				t.Error(err)
			}
			if len(got.Claims) > 0 {
				claimed++
			} else {
				kept++
			}
		})
		if round%2 == 0 {
			time.Sleep(time.Duration(round) * 100 * time.Microsecond) // who is first differs
		}
		a.enter("bob", "phone")
		_, err = a.service.BeginStream(t.Context(), phone)
		a.must(err)
		wg.Wait()
		a.must(a.store.View(t.Context(), func(r messaging.Reader) error {
			woken, err := r.Woken("bob", "phone")
			if err == nil && !woken.IsZero() {
				t.Errorf("round %d: the device is connected and counts as woken", round)
			}
			return err
		}))
		a.leave("bob", "phone")
		b.sees("bob", nil)
		b.must(b.store.Update(t.Context(), func(w messaging.Writer) error { return w.DropWakeup("bob", "phone") }))
	}
	t.Logf("%d claims, %d kept from it by the stream", claimed, kept)
}

// TestMissedByAnotherNode: an item that one node lets pass, since it still takes a device for connected to another, wakes the device when the first
// has heard that it is not: its stream has ended, or its node is no more.
func TestMissedByAnotherNode(t *testing.T) {
	pgtest.Server(t)
	for name, end := range map[string]func(a *station, seen messaging.Position){
		"the stream has ended": func(a *station, seen messaging.Position) { a.left.Left("bob", seen) },
		"the node is gone":     func(a *station, _ messaging.Position) { a.close() },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			a, b := newStation(t, dir, nil), newStation(t, dir, nil)
			owner, phone, news := messaging.Caller{UserID: "ann"}, messaging.Caller{UserID: "bob", DeviceID: "phone"}, messaging.Ref{Name: "news"}
			_, err := a.service.CreateChannel(t.Context(), owner, messaging.NewChannel{Name: "news", SubscriptionEnabled: true, Permission: messaging.PublishAnyone, MaxItems: 100, MaxPayload: 100})
			a.must(err)
			_, err = a.service.RegisterDevice(t.Context(), phone, messaging.NewDevice{ID: "phone", Push: &messaging.Push{Service: "webpush", Target: []byte(`{"endpoint":"https://push.example"}`)}})
			a.must(err)
			_, err = a.service.Subscribe(t.Context(), phone, news, messaging.NewSubscription{Wake: messaging.WakeAll})
			a.must(err)
			a.enter("bob", "phone")
			begun, err := a.service.BeginStream(t.Context(), phone)
			a.must(err)
			a.streams.add("bob", "phone", -1) // and nobody has heard of it yet

			waker := messaging.NewItemWaker(b.service)
			_, err = b.service.Publish(t.Context(), owner, news, messaging.NewItem{Content: []byte(`{"n":1}`)})
			b.must(err)
			for more := true; more; {
				more, err = waker.Turn(t.Context())
				b.must(err)
			}
			if got := b.backlog(); got != 0 {
				t.Fatalf("%d devices are woken that were connected", got)
			}
			end(a, begun.Head)
			for end := time.Now().Add(patience); b.backlog() == 0; time.Sleep(5 * time.Millisecond) { // nobody tells when another node has looked
				if time.Now().After(end) {
					t.Fatal("the device sleeps on")
				}
			}
			got, err := b.service.ClaimWakeups(t.Context(), "webpush", 10, time.Minute)
			b.must(err)
			if len(got.Claims) != 1 || got.Claims[0].ChannelName != "news" {
				t.Errorf("claimed: %+v", got.Claims)
			}
		})
	}
}

// backlog counts the devices that wait to be woken.
func (s *station) backlog() int {
	s.Helper()
	s.catchUp()
	b, err := s.service.WakeupBacklog(s.Context(), "webpush")
	s.must(err)
	return b.Devices
}
