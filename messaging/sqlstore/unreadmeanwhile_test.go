package sqlstore

import (
	"sync"
	"testing"

	"edict/messaging"
	"edict/platform/db"
)

// interrupted is a snapshot in which something happens before something is read.
type interrupted struct {
	db.Queryer
	by func()
}

func (q interrupted) Query(query string, args ...any) (db.Rows, error) {
	q.by()
	return q.Queryer.Query(query, args...)
}

// heldList returns a store that holds the list of a user, with a channel that has to be read again and one with two items that came since.
func heldList(t *testing.T, bob messaging.Caller) (f *unreadFixture, newest []string) {
	f = newUnreadFixture(t, Options{})
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, ref := range unreadChannels {
		_, err := f.CreateChannel(t.Context(), unreadUsers[0], newUnreadChannel(ref))
		ok(err)
		_, err = f.Subscribe(t.Context(), bob, ref, messaging.NewSubscription{})
		ok(err)
	}
	f.check(bob.UserID)
	publish := func(ref messaging.Ref) string {
		id, err := f.Publish(t.Context(), unreadUsers[0], ref, messaging.NewItem{Content: []byte(`{"n":1}`)})
		ok(err)
		return id
	}
	newest = []string{publish(unreadChannels[1]), publish(unreadChannels[1])}
	ok(f.MarkRead(t.Context(), bob, unreadChannels[0], publish(unreadChannels[0])))
	return f, newest
}

// listedWhile returns what a user is told when something happens while the database is asked.
func (f *unreadFixture) listedWhile(user messaging.UserID, by func()) (subs []messaging.Subscription) {
	f.Helper()
	err := f.store.db.Snapshot(f.Context(), func(q db.Queryer) (err error) {
		r := &reader{q: interrupted{q, by}, unread: f.store.unread}
		subs, err = r.UnreadOf(user)
		return err
	})
	if err != nil || len(subs) != len(unreadChannels) {
		f.Fatalf("%d of %d subscriptions are listed (%v)", len(subs), len(unreadChannels), err)
	}
	return subs
}

// TestUnreadDroppedMeanwhile: a list that is dropped while some of it is read again is read as a whole.
func TestUnreadDroppedMeanwhile(t *testing.T) {
	bob := unreadUsers[1]
	f, _ := heldList(t, bob)
	f.listedWhile(bob.UserID, f.forget)
	f.check(bob.UserID)
}

// TestUnreadChangedMeanwhile: while some of a list is read again, the numbers of another channel become unknown to the memory; what was unread there
// when the list was read is no answer any more.
func TestUnreadChangedMeanwhile(t *testing.T) {
	bob := unreadUsers[1]
	f, newest := heldList(t, bob)
	subs := f.listedWhile(bob.UserID, sync.OnceFunc(func() {
		if _, err := f.DeleteItems(t.Context(), unreadUsers[0], unreadChannels[1], newest[:1]); err != nil {
			t.Error(err)
		}
	}))
	if n := subs[1].Unread; n < 1 || n > 2 {
		t.Errorf("%s has %d unread items, with two before that and one after", subs[1].Name, n)
	}
	f.check(bob.UserID)
}
