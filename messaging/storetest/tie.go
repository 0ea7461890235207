package storetest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"testing"

	"edict/messaging"
)

// changes lists what changed for a user, in the order of the log.
func (b *bench) changes(user messaging.UserID, device string, after, upto messaging.Position, limit int) (found []string) {
	b.Helper()
	b.view(func(r messaging.Reader) error {
		events, err := r.TieChanges(user, after, upto, limit)
		deleted, err2 := r.Deletions(user, device, after, upto, limit)
		for _, part := range [][]messaging.Event{events, deleted} {
			if !slices.IsSortedFunc(part, inOrder) {
				b.Errorf("not in the order of the log: %v", part)
			}
		}
		events = append(events, deleted...)
		slices.SortFunc(events, inOrder)
		for _, e := range events {
			found = append(found, fmt.Sprintf("%s %s", e.Channel.Name, e.Channel.Change))
		}
		return errors.Join(err, err2)
	})
	return found
}

func inOrder(a, b messaging.Event) int { return cmp.Compare(a.At, b.At) }

// tie sets a tie and returns where.
func (b *bench) tie(c *messaging.Channel, user messaging.UserID, change messaging.Change) (at messaging.Position) {
	b.Helper()
	b.update(func(w messaging.Writer) error {
		at = w.Next()
		return w.SetTie(messaging.Tie{
			Channel: c.ID, User: user, At: at, Change: change,
			Invited: change == messaging.ChannelInvited, Banned: change == messaging.ChannelBanned,
		})
	})
	return at
}

func (b *bench) subscribe(c *messaging.Channel, user messaging.UserID, device string) {
	b.Helper()
	b.update(func(w messaging.Writer) error {
		_, _, err := w.Subscribe(messaging.Subscription{Channel: c.ID, User: user, Device: device, Since: w.Next()})
		return err
	})
}

// testChanges: a tie keeps its latest change, a deleted channel is told of to those who were subscribed, each in its place.
func testChanges(t *testing.T, open Opener) {
	b := newBench(t, open)
	a, c := b.channel(public("a", -1)), public("c", -1)
	c.Private, c.Key.Owner = true, "ann"
	c = b.channel(c)
	all := messaging.MaxPosition
	b.want("at first", b.changes("bob", "", 0, all, 10), []string(nil))
	b.subscribe(&a, "bob", "")
	b.want("a subscription tells of itself", b.changes("bob", "", 0, all, 10), []string(nil))
	first := b.tie(&a, "bob", messaging.ChannelInvited)
	second := b.tie(&c, "BOB", messaging.ChannelInvited)
	b.tie(&c, "cal", messaging.ChannelInvited)
	b.want("in order", b.changes("bob", "", 0, all, 10), []string{"a invited", "ann#c invited"})
	b.want("some", b.changes("bob", "", 0, all, 1), []string{"a invited"})
	b.want("after", b.changes("bob", "", first, second, 10), []string{"ann#c invited"})
	b.want("up to", b.changes("Bob", "", 0, second-1, 10), []string{"a invited"})
	b.tie(&a, "bob", messaging.ChannelBanned)
	b.want("the latest of each", b.changes("bob", "", 0, all, 10), []string{"ann#c invited", "a banned"})
	b.relation(&a, "bob", messaging.Relation{Subscribed: true, Banned: true})
	b.relation(&c, "bob", messaging.Relation{Invited: true})
	b.subscribe(&a, "cal", "desk")
	b.subscribe(&a, "cal", "phone")
	b.reopen()
	b.update(func(w messaging.Writer) error { return w.DeleteChannel(&a, w.Next()) })
	b.sweep(0, 0)
	b.want("a channel is gone", b.changes("bob", "", 0, all, 10), []string{"ann#c invited", "a banned", "a deleted"})
	b.want("for all devices", b.changes("cal", "", 0, all, 10), []string{"ann#c invited", "a deleted"})
	b.want("for one", b.changes("cal", "desk", 0, all, 10), []string{"ann#c invited", "a deleted"})
	b.want("for another", b.changes("cal", "tab", 0, all, 10), []string{"ann#c invited"})
	b.update(func(w messaging.Writer) error { return w.DeleteChannel(&c, w.Next()) })
	b.want("invited to nothing", b.changes("cal", "desk", 0, all, 10), []string{"a deleted"})
	b.want("somebody else", b.changes("dan", "", 0, all, 10), []string(nil))
	b.update(func(w messaging.Writer) error { return w.ForgetUser("bob") })
	b.want("nobody", b.changes("bob", "", 0, all, 10), []string(nil))
}

func (b *bench) relation(c *messaging.Channel, user messaging.UserID, want messaging.Relation) {
	b.Helper()
	b.view(func(r messaging.Reader) error {
		got, err := r.Relation(c.ID, user)
		b.want("relation of "+string(user), got, want)
		return err
	})
	b.update(func(w messaging.Writer) error {
		got, err := w.Relation(c.ID, user)
		b.want("relation of "+string(user)+" to the writer", got, want)
		return err
	})
}

// testForgetChanges: what tells of an end is kept for its time and then removed; what still ties somebody to a channel stays.
func testForgetChanges(t *testing.T, open Opener) {
	b := newBench(t, open)
	kept, gone := b.channel(public("kept", -1)), b.channel(public("gone", -1))
	for i := range 20 { // more than one step of sweeping removes
		user := messaging.UserID(fmt.Sprint("u", i))
		b.subscribe(&gone, user, "")
		b.tie(&gone, user, messaging.ChannelRemoved)
		b.tie(&kept, user, messaging.ChannelLeft)
	}
	b.tie(&kept, "u1", messaging.ChannelInvited)
	b.tie(&kept, "u2", messaging.ChannelBanned)
	b.update(func(w messaging.Writer) error { return w.DeleteChannel(&gone, w.Next()) })
	b.clock.advance(changesFor / 2)
	b.tie(&kept, "u3", messaging.ChannelUnbanned)
	look := func() (all []string) {
		for _, user := range []messaging.UserID{"u1", "u2", "u3", "u4"} {
			all = append(all, fmt.Sprint(b.changes(user, "", 0, messaging.MaxPosition, 10)))
		}
		return all
	}
	b.sweep(0, 0)
	b.want("in time", look(), []string{"[gone removed kept invited gone deleted]", "[gone removed kept banned gone deleted]", "[gone removed gone deleted kept unbanned]", "[gone removed kept unsubscribed gone deleted]"})
	b.clock.advance(changesFor * 3 / 4)
	b.sweep(0, 0)
	b.want("later", look(), []string{"[kept invited]", "[kept banned]", "[kept unbanned]", "[]"})
}

// testTies lists invitations and bans of a channel in pages, without those that ended and without accounts that are gone.
func testTies(t *testing.T, open Opener) {
	b := newBench(t, open)
	c, other := b.channel(public("c", -1)), b.channel(public("other", -1))
	for i, change := range []messaging.Change{
		messaging.ChannelInvited, messaging.ChannelBanned, messaging.ChannelLeft, messaging.ChannelInvited, messaging.ChannelInvited, messaging.ChannelUnbanned, messaging.ChannelBanned,
	} {
		b.tie(&c, messaging.UserID(fmt.Sprint("u", i)), change)
	}
	b.tie(&other, "u9", messaging.ChannelInvited)
	list := func(banned bool, limit int) (users []messaging.UserID) {
		for after, more := int64(0), true; more; {
			b.view(func(r messaging.Reader) error {
				ties, err := r.Ties(c.ID, banned, after, limit)
				for _, t := range ties {
					users, after = append(users, t.User), t.Key
					if t.Banned != banned || t.Invited == banned || t.At == 0 || t.Channel != c.ID {
						b.Errorf("%+v", t)
					}
				}
				more = len(ties) == limit
				return err
			})
		}
		return users
	}
	for limit := range 4 {
		b.want("invited", list(false, limit+1), "[u0 u3 u4]")
		b.want("banned", list(true, limit+1), "[u1 u6]")
	}
	has := func(want bool) {
		b.view(func(r messaging.Reader) error {
			got, err := r.ChannelByID(c.ID)
			b.want("it has bans", got.HasBans, want)
			return err
		})
	}
	has(true)
	b.tie(&c, "u1", messaging.ChannelUnbanned)
	has(true)
	b.tie(&c, "u6", messaging.ChannelUnbanned)
	has(false)
	b.update(func(w messaging.Writer) error { return w.ForgetUser("u3") })
	b.want("without an account", list(false, 10), "[u0 u4]")
}
