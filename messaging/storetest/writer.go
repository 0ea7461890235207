package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"edict/messaging"
)

// testWriterReads: whatever happened before, a writer reads what a reader reads, although it may know without asking.
func testWriterReads(t *testing.T, open Opener) {
	b := newBench(t, open)
	a := &acts{random: rand.New(rand.NewPCG(1, 2)), names: []string{"a", "b"}, users: []messaging.UserID{"ann", "bob"}}
	for i := range 400 {
		b.clock.advance(time.Second)
		if i%100 == 99 {
			b.reopen()
		}
		b.update(func(w messaging.Writer) error { return a.act(w, b.clock.now()) })
		for range 2 { // the second time from memory, where there is one
			var wrote, read []string
			b.update(func(w messaging.Writer) error { wrote = a.look(w); return nil })
			b.view(func(r messaging.Reader) error { read = a.look(r); return nil })
			if !slices.Equal(wrote, read) {
				t.Fatalf("after %s a writer reads\n%s\na reader\n%s", a.last, strings.Join(wrote, "\n"), strings.Join(read, "\n"))
			}
		}
	}
}

// acts are random acts on a few channels and members.
type acts struct {
	random *rand.Rand
	names  []string
	users  []messaging.UserID
	ids    []messaging.ChannelID // of all channels there ever were
	last   string
}

func (a *acts) act(w messaging.Writer, now time.Time) error {
	name, user := a.names[a.random.IntN(len(a.names))], a.users[a.random.IntN(len(a.users))]
	c, err := w.Channel(messaging.ChannelKey{Name: name})
	if err != nil {
		return err
	}
	if c == nil {
		a.last = "make " + name
		made, err := w.InsertChannel(public(name, -1))
		a.ids = append(a.ids, made.ID)
		return err
	}
	kinds := []string{"subscribe", "subscribe", "unsubscribe", "invite", "invite", "uninvite", "uninvite", "ban", "touch", "delete"}
	kind := kinds[a.random.IntN(len(kinds))]
	a.last = fmt.Sprint(kind, " ", name, " ", user)
	switch kind {
	case "subscribe":
		_, _, err = w.Subscribe(messaging.Subscription{Channel: c.ID, User: user, Since: w.Next()})
	case "unsubscribe":
		_, err = w.Unsubscribe(c.ID, user)
	case "invite":
		err = w.SetTie(messaging.Tie{Channel: c.ID, User: user, Invited: true, At: w.Next(), Change: messaging.ChannelInvited})
	case "uninvite":
		err = w.SetTie(messaging.Tie{Channel: c.ID, User: user, At: w.Next(), Change: messaging.ChannelUninvited})
	case "ban":
		err = w.SetTie(messaging.Tie{Channel: c.ID, User: user, Banned: true, At: w.Next(), Change: messaging.ChannelBanned})
	case "touch":
		err = w.TouchChannel(c.ID, now)
	case "delete":
		err = w.DeleteChannel(c, w.Next())
	}
	return err
}

// look describes the channels and who belongs to them.
func (a *acts) look(r messaging.Reader) (seen []string) {
	for _, id := range a.ids[max(0, len(a.ids)-4):] {
		var relations []string
		for _, user := range a.users { // before the channel: it need not be in memory
			rel, err := r.Relation(id, user)
			relations = append(relations, fmt.Sprintf("%d %s: %+v %v", id, user, rel, err))
		}
		c, err := r.ChannelByID(id)
		seen = append(seen, fmt.Sprintf("%d: %+v %v", id, c, err))
		if c != nil { // what a deleted channel leaves until it is swept is nobody's
			seen = append(seen, relations...)
		}
	}
	for _, name := range a.names {
		c, err := r.Channel(messaging.ChannelKey{Name: name})
		seen = append(seen, fmt.Sprintf("%s: %+v %v", name, c, err))
	}
	return seen
}
