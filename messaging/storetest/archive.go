package storetest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"edict/messaging"
)

// testAuthored: what one of two authors made is found in small steps, and emptied; the other's stays.
func testAuthored(t *testing.T, open Opener) {
	b := newBench(t, open)
	kept, cleared := b.channel(public("kept", messaging.Unlimited)), b.channel(public("cleared", messaging.Unlimited))
	own := public("own", messaging.Unlimited)
	own.Owner, own.Private, own.Key.Owner = "bob", true, "bob"
	own = b.channel(own)
	for i := range 40 {
		author := messaging.UserID([]string{"ann", "bob"}[i%2])
		b.update(func(w messaging.Writer) error {
			for _, c := range []messaging.Channel{kept, cleared, own} {
				item := messaging.Item{At: w.Next(), Publisher: author, Device: "d", MessageType: "m", ContentType: "a/b", Content: messaging.Content(fmt.Sprintf(`{"n":%d}`, i))}
				if err := w.AppendItem(&c, &item); err != nil {
					return err
				}
			}
			at := w.Next()
			m := messaging.Message{At: at, Sender: author, Device: "d", Expires: at.Time().Add(time.Hour), Content: messaging.Content(fmt.Sprintf(`{"m":%d}`, i)), Metadata: messaging.Content(`{"x":1}`)}
			return w.InsertMessage(&m, []messaging.Delivery{{Message: at, Recipient: "cal", State: messaging.StatePending}})
		})
	}
	b.update(func(w messaging.Writer) error { return w.ClearItems(cleared.ID) })
	b.want("bob's items", len(b.itemsBy("bob", nil)), 40)
	names := map[string]int{}
	b.itemsBy("bob", names)
	b.want("their channels", fmt.Sprint(names), "map[bob#own:20 kept:20]")
	b.want("bob's messages", strings.Count(b.messagesBy("bob"), "{"), 2*20)
	b.want("a stranger's items", len(b.itemsBy("eve", nil)), 0)
	b.ownedChannels()
	b.subscribe(&own, "cal", "")
	b.tiesOfCal(&own, &kept, &cleared)

	b.update(func(w messaging.Writer) error {
		if err := w.EraseContent("bob"); err != nil {
			return err
		}
		if err := w.EraseContent("nobody"); err != nil {
			return err
		}
		if err := w.DeleteChannel(&own, w.Next()); err != nil {
			return err
		}
		return w.ForgetUser("bob")
	})
	changes := b.changes("cal", "", 0, messaging.MaxPosition, 10)
	b.want("what cal hears of a channel whose owner is gone", changes[len(changes)-1], "deleted#own deleted")
	b.reopen() // in the middle of it
	b.sweep(time.Hour, time.Hour)
	b.wantErased(&kept)
	b.want("ann's items", len(b.itemsBy("ann", nil)), 20)
}

// wantErased looks for what bob published in a channel by turns with ann, and sent: it is empty to the last one, however many steps that took.
func (b *bench) wantErased(c *messaging.Channel) {
	b.Helper()
	var left []string
	b.view(func(r messaging.Reader) error {
		return r.EachItem(messaging.ItemRange{Channel: c.ID, To: messaging.MaxPosition, Limit: 100}, func(i *messaging.Item) bool {
			left = append(left, fmt.Sprint(i.Publisher, i.Device, i.MessageType, i.ContentType, string(i.Content)))
			return true
		})
	})
	b.want("how many", len(left), 40)
	for i, item := range left {
		want := "{}"
		if i%2 == 0 {
			want = fmt.Sprintf(`anndma/b{"n":%d}`, i)
		}
		b.want(fmt.Sprint("item ", i), item, want)
	}
	inbox, want := "", ""
	b.view(func(r messaging.Reader) error {
		return r.EachMessage("cal", 0, b.clock.now(), 100, func(m *messaging.Message) bool {
			inbox += fmt.Sprint(m.Sender, m.Device, string(m.Content), string(m.Metadata), " ")
			return true
		})
	})
	for i := range 20 {
		want += fmt.Sprintf(`annd{"m":%d}{"x":1} {} `, 2*i)
	}
	b.want("messages", inbox, want)
}

// ownedChannels reads the channels of two owners, those of the first in steps.
func (b *bench) ownedChannels() {
	b.Helper()
	b.view(func(r messaging.Reader) error {
		first, err := r.OwnedChannels("ANN", 0, 1)
		if err != nil || len(first) != 1 {
			return fmt.Errorf("%v %w", first, err)
		}
		rest, err := r.OwnedChannels("ann", first[0].ID, 10)
		b.want("ann's channels", first[0].Name+" "+rest[0].Name, "kept cleared")
		mine, err2 := r.OwnedChannels("bob", 0, 10)
		b.want("bob's channels", len(mine) == 1 && mine[0].FullName() == "bob#own", true)
		if err == nil {
			err = err2
		}
		return err
	})
}

// tiesOfCal ties somebody to three channels and reads the invitation and the ban of it.
func (b *bench) tiesOfCal(invited, banned, unbanned *messaging.Channel) {
	b.Helper()
	b.tie(invited, "cal", messaging.ChannelInvited)
	b.tie(banned, "cal", messaging.ChannelBanned)
	b.tie(unbanned, "cal", messaging.ChannelUnbanned)
	b.view(func(r messaging.Reader) error {
		all, err := r.TiesOf("CAL", 0, 10)
		var found []string
		for _, t := range all {
			found = append(found, fmt.Sprint(t.Name, " ", t.Invited, " ", t.Banned))
		}
		b.want("cal's ties", strings.Join(found, ", "), "kept false true, bob#own true false")
		rest, err2 := r.TiesOf("cal", all[0].Channel, 10)
		b.want("those after the first", len(rest), 1)
		return errors.Join(err, err2)
	})
}

// itemsBy reads what a user published, in steps, and counts it by channel.
func (b *bench) itemsBy(user messaging.UserID, names map[string]int) (all []messaging.Position) {
	b.Helper()
	for after, more := messaging.Position(0), true; more; more = after != 0 {
		b.view(func(r messaging.Reader) (err error) {
			n := 0
			after, err = r.EachItemBy(user, after, 7, func(i *messaging.Item) bool {
				all = append(all, i.At)
				if names != nil {
					names[i.Channel]++
				}
				n++
				return n < 2
			})
			return err
		})
	}
	for i := 1; i < len(all); i++ {
		if all[i] <= all[i-1] {
			b.Errorf("item %d comes after %d", all[i], all[i-1])
		}
	}
	return all
}

func (b *bench) messagesBy(user messaging.UserID) (text string) {
	b.Helper()
	for after, more := messaging.Position(0), true; more; more = after != 0 {
		b.view(func(r messaging.Reader) (err error) {
			after, err = r.EachMessageBy(user, after, 7, func(m *messaging.Message) bool {
				text += string(m.Content) + string(m.Metadata)
				return true
			})
			return err
		})
	}
	return text
}
