package storetest

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"edict/messaging"
	"edict/platform/fault"
	"edict/platform/longtest"
)

// world is a service on a store beside the model of it.
type world struct {
	*rapid.T
	ctx     context.Context
	dir     string
	open    Opener
	store   messaging.Store
	service *messaging.Service
	close   func()
	model   *model
	items   []string // ids given out, some of them gone by now
	sent    []string
	claims  []worldClaim
	serial  int

	away      messaging.Position // where somebody went away
	awaySince int                // the changes of the model by then
}

// LookupUsers implements messaging.Users with the model's users.
func (w *world) LookupUsers(_ context.Context, ids []messaging.UserID) (map[string]messaging.User, error) {
	found := map[string]messaging.User{}
	for _, id := range ids {
		if slices.Contains(w.model.users, string(id)) {
			found[id.Fold()] = messaging.User{ID: id, Name: "the " + string(id)}
		}
	}
	return found, nil
}

// testModel runs random operations of several users on a service and on the model of it and wants the
// same answers. Now and then the store is closed and opened again, and swept.
func testModel(t *testing.T, open Opener) {
	longtest.Checks(t, 25, 100)
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "model")
		if err != nil {
			rt.Fatal(err)
		}
		w := newWorld(rt, dir, open)
		w.start(t)
		defer func() { w.close() }()
		actions := w.actions()
		actions["reopen"] = func(*rapid.T) { w.close(); w.start(t) }
		rt.Repeat(actions)
	})
}

func newWorld(rt *rapid.T, dir string, open Opener) *world {
	return &world{T: rt, ctx: context.Background(), dir: dir, open: open, model: &model{
		now:     time.UnixMilli(1_800_000_000_000).UTC(),
		users:   []string{"ann", "bob", "cal", "dan", "root"},
		devices: map[string][]modelDevice{}, queue: map[modelSub]modelWakeup{}, removed: map[modelSub]time.Time{}, woken: map[modelSub]time.Time{}, once: map[string]modelOnce{},
	}}
}

func (w *world) start(t testing.TB) {
	w.store, w.close = w.open(t, w.dir, func() time.Time { return w.model.now })
	w.service = messaging.New(messaging.Config{Store: w.store, Users: w, Limits: modelLimits(), Now: func() time.Time { return w.model.now }})
}

func (w *world) actions() map[string]func(*rapid.T) {
	named := map[string]func(){
		"create": w.create, "search": w.search, "delete": w.delete, "read": w.read, "summary": w.summary,
		"subscribe": w.subscribe, "unsubscribe": w.unsubscribe, "subscriptions": w.subscriptions, "mine": w.mine,
		"tag": w.tag, "tags": w.tags, "untag": w.untag, "publish": w.publish, "publish again": w.publish, "publish more": w.publish,
		"mark": w.mark, "mark more": w.mark, "mine again": w.mine,
		"correct": w.correct, "correct more": w.correct, "items": w.itemsByID, "fetch": w.fetch, "delete items": w.deleteItems, "clear": w.clear, "invite": w.invite, "withdraw": w.withdraw,
		"change": w.change, "remove member": w.removeMember, "ban": w.ban, "unban": w.unban, "bans": w.bans, "go away": w.goAway, "come back": w.comeBack, "come back again": w.comeBack,
		"send": w.send, "status": w.status, "ack": w.ack, "inbox": w.inbox, "register": w.register, "unregister": w.unregister, "seen": w.seen,
		"devices": w.devices, "claim": w.claim, "wake": w.wake, "wake again": w.wake, "connect": w.connect, "settle": w.settle, "wait": w.wait, "remove user": w.removeUser,
	}
	actions := map[string]func(*rapid.T){}
	for name, do := range named {
		actions[name] = func(t *rapid.T) {
			w.T = t
			w.model.elapse(w.model.now.Add(time.Millisecond))
			do()
		}
	}
	return actions
}

func draw[T any](w *world, label string, values ...T) T {
	return rapid.SampledFrom(values).Draw(w.T, label)
}

func (w *world) caller() messaging.Caller {
	user := draw(w, "caller", w.model.users...)
	c := messaging.Caller{UserID: messaging.UserID(user), Admin: user == "root"}
	if devices := w.model.devices[user]; len(devices) > 0 && rapid.Bool().Draw(w.T, "with device") {
		c.DeviceID = draw(w, "device", devices...).id
	}
	return c
}

func (w *world) ref() messaging.Ref {
	name := draw(w, "name", "news", "News", "talk", "x")
	personal := messaging.PersonalAbsent
	if rapid.Bool().Draw(w.T, "full") {
		name = draw(w, "owner", "ann", "ANN", "bob") + "#" + name
	} else {
		personal = draw(w, "personal", messaging.PersonalAbsent, messaging.PersonalTrue, messaging.PersonalFalse)
	}
	ref, err := messaging.ParseRef(name, personal)
	if err != nil {
		w.Fatal(err)
	}
	return ref
}

// agree compares how an operation ended and reports whether it succeeded.
func (w *world) agree(want verdict, err error) bool {
	w.Helper()
	var got verdict
	if err != nil {
		got = verdict{code: messaging.CodeOf(err), conflict: fault.KindOf(err) == fault.Conflict && messaging.CodeOf(err) == 31}
	}
	if got != want {
		w.Fatalf("ended with %+v (%v), want %+v", got, err, want)
	}
	return err == nil
}

func (w *world) equal(got, want any) {
	w.Helper()
	if d := cmp.Diff(fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got)); d != "" {
		w.Fatalf("different answers (-want +got):\n%s", d)
	}
}

func (w *world) create() {
	n := messaging.NewChannel{
		Name: draw(w, "name", "news", "NEWS", "talk", "x"), Description: draw(w, "description", "", "all the news", "100%_sure", "Größe"),
		Private: rapid.Bool().Draw(w.T, "private"), InviteOnly: draw(w, "invite only", false, false, true),
		SubscriptionEnabled: draw(w, "enabled", true, true, false), Subscribe: rapid.Bool().Draw(w.T, "subscribe"),
		Permission: draw(w, "permission", messaging.PublishAnyone, messaging.PublishOwner, messaging.PublishSubscribers),
		MaxItems:   draw(w, "max", int64(-1), -1, 3, 1, 0, -2), MaxPayload: draw(w, "payload", 100, 12), MaxAge: draw(w, "age", 0, 0, 2*time.Hour, time.Second/2),
	}
	caller := w.caller()
	c, err := w.service.CreateChannel(w.ctx, caller, n)
	if w.agree(w.model.create(caller, n), err) && !c.Created.Equal(w.model.now) {
		w.Fatalf("created %v, want %v", c.Created, w.model.now)
	}
}

func (w *world) search() {
	q := messaging.Search{
		Name: draw(w, "part", "", "", "ew", "EWS", "%"), Description: draw(w, "description", "", "", "news", "_", "%_s", "GRÖ", "\""),
		AllTags: rapid.Bool().Draw(w.T, "all"), Offset: draw(w, "offset", 0, 0, 1), Size: draw(w, "size", 200, 1, 2),
	}
	q.Tags = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"red", "Blue", "été"}), 0, 2, rapid.ID).Draw(w.T, "tags")
	caller := w.caller()
	found, total, err := w.service.SearchChannels(w.ctx, caller, q)
	names, wantTotal := w.model.search(caller, q)
	w.agree(fine, err)
	var got []string
	for _, c := range found {
		got = append(got, c.FullName())
	}
	w.equal(got, names)
	w.equal(total, wantTotal)
}

func (w *world) delete() {
	caller, ref := w.caller(), w.ref()
	w.agree(w.model.delete(caller, ref), w.service.DeleteChannel(w.ctx, caller, ref))
}

func (w *world) read() {
	caller, ref := w.caller(), w.ref()
	got, err := w.service.ReadChannel(w.ctx, caller, ref)
	c, v := w.model.enter(caller, ref, "record")
	if !w.agree(v, err) {
		return
	}
	w.equal([]any{got.FullName(), got.Owner, got.Description, got.Private, got.InviteOnly, got.Permission, got.MaxItems, got.MaxAge, got.Created, got.Modified},
		[]any{c.full(), c.owner, c.Description, c.Private, c.InviteOnly, c.Permission, c.MaxItems, c.MaxAge, c.created, c.modified})
}

func (w *world) summary() {
	caller, ref := w.caller(), w.ref()
	got, err := w.service.ChannelSummary(w.ctx, caller, ref)
	c, v := w.model.enter(caller, ref, "items")
	if w.agree(v, err) {
		w.equal([]any{got.Items, got.LastPublished}, []any{len(c.items), c.last})
	}
}

func (w *world) subscribe() {
	caller, ref := w.caller(), w.ref()
	device, wake := draw(w, "for device", "", "", "phone"), draw(w, "wake", 0, messaging.WakeAll, messaging.WakeAll, messaging.WakeNone)
	sub, err := w.service.Subscribe(w.ctx, caller, ref, messaging.NewSubscription{Device: device, Wake: wake})
	if !w.agree(w.model.subscribe(caller, ref, device, wake), err) {
		return
	}
	again, err := w.service.Subscribe(w.ctx, caller, ref, messaging.NewSubscription{Device: device})
	w.agree(fine, err)
	w.equal(again, sub)
}

func (w *world) unsubscribe() {
	caller, ref := w.caller(), w.ref()
	n, err := w.service.Unsubscribe(w.ctx, caller, ref)
	want, v := w.model.unsubscribe(caller, ref)
	if w.agree(v, err) {
		w.equal(n, want)
	}
}

func (w *world) subscriptions() {
	caller, ref := w.caller(), w.ref()
	subs, err := w.service.Subscriptions(w.ctx, caller, ref, nil)
	c, v := w.model.enter(caller, ref, "items")
	if !w.agree(v, err) {
		return
	}
	var got []modelSub
	for _, s := range subs {
		w.equal(s.Name, c.full())
		got = append(got, modelSub{string(s.User), s.Device})
	}
	w.equal(got, slices.Clip(c.subs))
}

func (w *world) mine() {
	caller := w.caller()
	subs, err := w.service.MySubscriptions(w.ctx, caller)
	w.agree(fine, err)
	got, want := map[string]int{}, map[string]int{}
	for _, s := range subs {
		read := ""
		if s.ReadUpTo != 0 {
			read = w.service.Codec().ItemID(s.ReadUpTo)
		}
		got[fmt.Sprint(s.Name, "/", s.Device, "/", s.Wake, "/", read, "/", s.Unread)]++
	}
	for _, c := range w.model.channels {
		for _, s := range c.subs {
			if s.user == string(caller.UserID) {
				want[fmt.Sprint(c.full(), "/", s.device, "/", c.choice(s), "/", c.read[s.user], "/", c.unread(s))]++
			}
		}
	}
	w.equal(got, want)
}

func (w *world) tag() {
	caller, ref := w.caller(), w.ref()
	tags := rapid.SliceOfN(rapid.SampledFrom([]string{"red", "RED", "blue", "Été"}), 0, 3).Draw(w.T, "tags")
	w.agree(w.model.addTags(caller, ref, tags), w.service.AddTags(w.ctx, caller, ref, tags))
}

func (w *world) tags() {
	caller, ref := w.caller(), w.ref()
	_, tags, err := w.service.Tags(w.ctx, caller, ref)
	c, v := w.model.enter(caller, ref, "record")
	if !w.agree(v, err) {
		return
	}
	slices.Sort(tags)
	w.equal(tags, slices.Sorted(slices.Values(c.tags)))
}

func (w *world) untag() {
	caller, ref := w.caller(), w.ref()
	tag := draw(w, "tag", "", "red", "BLUE", "été")
	if tag == "" {
		w.agree(w.model.removeTags(caller, ref, func(string) bool { return true }), w.service.RemoveAllTags(w.ctx, caller, ref))
		return
	}
	w.agree(w.model.removeTags(caller, ref, func(t string) bool { return same(t, tag) }), w.service.RemoveTag(w.ctx, caller, ref, tag))
}

func (w *world) publish() {
	caller, ref := w.caller(), w.ref()
	w.serial++
	d := messaging.NewItem{Content: fmt.Appendf(nil, `{"n":%d}`, w.serial), MessageType: draw(w, "type", "", "note"), IdempotencyKey: draw(w, "key", "", "", "k")}
	switch draw(w, "content", "new", "new", "same", "long") {
	case "same":
		d.Content = []byte(`{"n":0}`)
	case "long":
		d.Content = []byte(`{"long":12345}`)
	}
	id, err := w.service.Publish(w.ctx, caller, ref, d)
	c, again, v := w.model.publish(caller, ref, d)
	if !w.agree(v, err) {
		return
	}
	if c == nil {
		w.equal(id, again)
		return
	}
	if len(w.items) > 0 && id <= w.items[len(w.items)-1] {
		w.Fatalf("id %s is not after %s", id, w.items[len(w.items)-1])
	}
	w.items = append(w.items, id)
	w.model.published(c, again, modelItem{
		id: id, publisher: string(caller.UserID), device: caller.DeviceID, content: string(d.Content), mtype: d.MessageType, at: w.model.now,
	})
}

func (w *world) ids() []string {
	return rapid.SliceOfN(rapid.SampledFrom(append([]string{"nonsense"}, w.items...)), 1, 4).Draw(w.T, "ids")
}

func items(got []messaging.Item) (all []modelItem) {
	for _, i := range got {
		all = append(all, modelItem{i.ID, string(i.Publisher), i.Device, string(i.Content), i.MessageType, i.ContentType, i.Created(), edited(&i)})
	}
	return all
}

func edited(i *messaging.Item) time.Time {
	if i.Edited == 0 {
		return time.Time{}
	}
	return i.Edited.Time()
}

func (w *world) itemsByID() {
	caller, ref, ids := w.caller(), w.ref(), w.ids()
	got, err := w.service.ItemsByID(w.ctx, caller, ref, ids, nil)
	want, v := w.model.byID(caller, ref, ids)
	if w.agree(v, err) {
		w.equal(items(got), want)
	}
}

func (w *world) fetch() {
	caller, ref := w.caller(), w.ref()
	f := messaging.Fetch{Descending: rapid.Bool().Draw(w.T, "descending"), Offset: draw(w, "offset", 0, 0, 1), Size: draw(w, "size", 200, 1, 2)}
	if ago := draw(w, "since", 0, 5, 30); ago > 0 {
		f.Since = w.model.now.Add(-time.Duration(ago) * time.Millisecond)
	}
	if ago := draw(w, "until", 0, 3, 20); ago > 0 {
		f.Until = w.model.now.Add(-time.Duration(ago) * time.Millisecond)
	}
	got, err := w.service.FetchItems(w.ctx, caller, ref, f)
	want, total, v := w.model.fetch(caller, ref, f)
	if !w.agree(v, err) {
		return
	}
	w.equal(items(got.Items), want)
	w.equal(got.Total, total)
	for f.Offset += f.Size; got.Next != ""; f.Offset += f.Size {
		got, err = w.service.FetchItems(w.ctx, caller, ref, messaging.Fetch{Size: f.Size, Cursor: got.Next})
		w.agree(fine, err)
		want, _, _ = w.model.fetch(caller, ref, f)
		w.equal(items(got.Items), want)
		w.equal(got.Total, total)
	}
	if want, _, _ = w.model.fetch(caller, ref, f); len(want) > 0 {
		w.Fatalf("the pages ended before %+v", want[0])
	}
}

func (w *world) deleteItems() {
	caller, ref, ids := w.caller(), w.ref(), w.ids()
	got, err := w.service.DeleteItems(w.ctx, caller, ref, ids)
	want, v := w.model.deleteItems(caller, ref, ids)
	if w.agree(v, err) {
		w.equal(got, want)
	}
}

func (w *world) clear() {
	caller, ref := w.caller(), w.ref()
	err := w.service.DeleteAllItems(w.ctx, caller, ref)
	c, v := w.model.enter(caller, ref, "own")
	if w.agree(v, err) {
		c.items = nil
	}
}

func (w *world) invite() {
	caller, ref := w.caller(), w.ref()
	users := rapid.SliceOfN(rapid.SampledFrom([]string{"ann", "bob", "cal", "nobody"}), 1, 2).Draw(w.T, "invited")
	ids := make([]messaging.UserID, len(users))
	for i, u := range users {
		ids[i] = messaging.UserID(u)
	}
	n, err := w.service.Invite(w.ctx, caller, ref, ids)
	want, v := w.model.invite(caller, ref, users)
	if w.agree(v, err) {
		w.equal(n, want)
	}
}

func (w *world) withdraw() {
	caller, ref, user := w.caller(), w.ref(), draw(w, "user", "ann", "bob", "nobody")
	w.agree(w.model.withdraw(caller, ref, user), w.service.WithdrawInvite(w.ctx, caller, ref, messaging.UserID(user)))
}
