package storetest

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"edict/messaging"
)

// maybe draws a value, or none.
func maybe[T any](w *world, label string, values ...T) *T {
	if !rapid.Bool().Draw(w.T, label+"?") {
		return nil
	}
	v := draw(w, label, values...)
	return &v
}

func (w *world) change() {
	caller, ref := w.caller(), w.ref()
	d := messaging.ChannelChange{
		Description: maybe(w, "description", "", "all the news", "new Größe"), MaxItems: maybe(w, "max", int64(-1), 3, 1, 0, -2),
		Permission: maybe(w, "permission", messaging.PublishAnyone, messaging.PublishOwner, messaging.PublishSubscribers),
		MaxAge:     maybe(w, "age", 0, time.Minute, 2*time.Hour),
		InviteOnly: maybe(w, "invite only", false, true), SubscriptionEnabled: maybe(w, "enabled", true, true, false),
	}
	if draw(w, "give", false, false, true) {
		d.Owner = maybe(w, "owner", messaging.UserID("ann"), "bob", "cal", "nobody")
	}
	if d == (messaging.ChannelChange{}) {
		return
	}
	got, err := w.service.ChangeChannel(w.ctx, caller, ref, d)
	c, v := w.model.change(caller, ref, d)
	if w.agree(v, err) {
		w.equal([]any{got.Owner, got.Description, got.InviteOnly, got.Permission, got.MaxItems, got.MaxAge, got.Modified}, []any{c.owner, c.Description, c.InviteOnly, c.Permission, c.MaxItems, c.MaxAge, c.modified})
	}
}

func (w *world) removeMember() {
	caller, ref, user := w.caller(), w.ref(), draw(w, "user", "ann", "bob", "nobody")
	n, err := w.service.RemoveMember(w.ctx, caller, ref, messaging.UserID(user))
	want, v := w.model.removeMember(caller, ref, user)
	if w.agree(v, err) {
		w.equal(n, want)
	}
}

func (w *world) ban() {
	caller, ref, user := w.caller(), w.ref(), draw(w, "user", "ann", "bob", "cal", "root", "nobody")
	w.agree(w.model.ban(caller, ref, user), w.service.Ban(w.ctx, caller, ref, messaging.UserID(user)))
}

func (w *world) unban() {
	caller, ref, user := w.caller(), w.ref(), draw(w, "user", "ann", "bob", "nobody")
	w.agree(w.model.unban(caller, ref, user), w.service.Unban(w.ctx, caller, ref, messaging.UserID(user)))
}

// bans lists those who are banned, or invited, page by page.
func (w *world) bans() {
	caller, ref, list := w.caller(), w.ref(), w.service.Invitations
	banned := rapid.Bool().Draw(w.T, "banned")
	if banned {
		list = w.service.Bans
	}
	c, v := w.model.enter(caller, ref, "own")
	var got []string
	for cursor, more := "", true; more; more = cursor != "" {
		page, err := list(w.ctx, caller, ref, cursor, draw(w, "size", 1, 2, 200))
		if !w.agree(v, err) {
			return
		}
		for _, t := range page.Ties {
			got = append(got, string(t.User))
		}
		cursor = page.Next
	}
	want := c.invited
	if banned {
		want = c.banned
	}
	w.equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want)))
}

// goAway remembers a place in the log.
func (w *world) goAway() {
	start, err := w.service.BeginStream(w.ctx, w.caller())
	w.agree(fine, err)
	w.away, w.awaySince = start.Head, w.model.happened
}

// comeBack reads what changed since then, as a stream that resumes does.
func (w *world) comeBack() {
	caller := w.caller()
	w.sweep() // what is too old to be told may be there until then
	var got []messaging.Event
	err := w.store.View(w.ctx, func(r messaging.Reader) error {
		subs, err := r.SubscriptionsOf(caller.UserID)
		if err != nil {
			return err
		}
		ties, err := r.TieChanges(caller.UserID, w.away, messaging.MaxPosition, 100)
		if err != nil {
			return err
		}
		deleted, err := r.Deletions(caller.UserID, caller.DeviceID, w.away, messaging.MaxPosition, 100)
		got = slices.Concat(caller.Changes(subs, w.away), ties, deleted)
		return err
	})
	w.agree(fine, err)
	slices.SortFunc(got, func(a, b messaging.Event) int { return cmp.Compare(a.At, b.At) })
	var told []string
	for _, e := range got {
		told = append(told, fmt.Sprintf("%s %s", e.Channel.Name, e.Channel.Change))
	}
	w.equal(told, w.model.changesOf(caller, w.awaySince))
}
