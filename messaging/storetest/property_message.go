package storetest

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"edict/messaging"
)

func (w *world) send() {
	caller := w.caller()
	to := rapid.SliceOfN(rapid.SampledFrom([]string{"ann", "bob", "cal", "dan", "nobody"}), 1, 3).Draw(w.T, "to")
	ids := make([]messaging.UserID, len(to))
	for i, u := range to {
		ids[i] = messaging.UserID(u)
	}
	ttl := draw(w, "ttl", time.Second, time.Hour, 30*24*time.Hour)
	w.serial++
	content := fmt.Sprintf(`{"n":%d}`, w.serial)
	got, err := w.service.Send(w.ctx, caller, messaging.NewMessage{Recipients: ids, Content: json.RawMessage(content), TTL: ttl})
	w.agree(fine, err)
	msg, unsent := w.model.send(caller, to, content, ttl)
	var sent []modelSub
	for _, s := range got.Sent {
		sent = append(sent, modelSub{string(s.Recipient), s.Device})
	}
	var want []modelSub
	for _, c := range msg.copies {
		want = append(want, modelSub{c.user, c.device})
	}
	w.equal(sent, want)
	w.equal(got.Unsent, unsent)
	msg.id = got.MessageID
	w.sent = append(w.sent, msg.id)
}

func (w *world) messageID() string {
	return draw(w, "message", append([]string{"nonsense"}, w.sent...)...)
}

func (w *world) status() {
	caller, id := w.caller(), w.messageID()
	got, err := w.service.MessageStatus(w.ctx, caller, id)
	want, v := w.model.status(caller, id)
	if !w.agree(v, err) {
		return
	}
	var copies []modelCopy
	for _, d := range got.Copies {
		copies = append(copies, modelCopy{string(d.Recipient), d.Device, d.State.String(), !d.Received.IsZero(), time.Time{}})
	}
	for i := range want {
		want[i].woken = time.Time{}
	}
	w.equal(copies, want)
}

func (w *world) ack() {
	caller, id, state := w.caller(), w.messageID(), draw(w, "state", "DELIVERED", "RECEIVED")
	parsed, err := messaging.ParseAck(state)
	w.agree(fine, err)
	w.agree(w.model.ack(caller, id, state), w.service.Acknowledge(w.ctx, caller, id, parsed))
}

func (w *world) inbox() {
	caller := w.caller()
	size := draw(w, "size", 200, 2)
	want := w.model.inbox(caller)
	var got []string
	for cursor := ""; ; {
		page, err := w.service.Inbox(w.ctx, caller, cursor, size, nil)
		w.agree(fine, err)
		for _, m := range page.Messages {
			got = append(got, m.ID)
			w.equal(string(m.Content), w.model.message(m.ID).content)
		}
		if cursor = page.Next; len(page.Messages) < size {
			break
		}
	}
	w.equal(got, want)
}

func (w *world) register() {
	caller := w.caller()
	d := modelDevice{id: draw(w, "new device", "phone", "tablet"), push: rapid.Bool().Draw(w.T, "push")}
	n := messaging.NewDevice{ID: d.id}
	if d.push {
		n.Push = &messaging.Push{Service: "webpush", Target: json.RawMessage(`{"endpoint":"https://push.example"}`)}
	}
	_, err := w.service.RegisterDevice(w.ctx, caller, n)
	w.agree(fine, err)
	w.model.register(caller, d)
}

func (w *world) unregister() {
	caller, id := w.caller(), draw(w, "gone", "phone", "tablet")
	w.agree(w.model.unregister(caller, id), w.service.RemoveDevice(w.ctx, caller, id))
}

// seen uses a token with a device for the first time.
func (w *world) seen() {
	caller := messaging.Caller{UserID: w.caller().UserID, DeviceID: draw(w, "seen device", "phone", "tablet")}
	caller.Issued = w.model.now.Add(-draw(w, "age", 0, time.Second, time.Hour, 30*24*time.Hour)).Truncate(time.Second)
	w.agree(fine, w.service.SeenDevice(w.ctx, caller))
	w.model.seen(caller)
}

func (w *world) devices() {
	caller := w.caller()
	got, err := w.service.Devices(w.ctx, caller)
	w.agree(fine, err)
	var ids []modelDevice
	for _, d := range got {
		ids = append(ids, modelDevice{d.ID, d.Push != nil})
	}
	w.equal(ids, slices.Clip(w.model.devices[string(caller.UserID)]))
}

// wait lets time pass, with or without the sweeper.
func (w *world) wait() {
	w.model.elapse(w.model.now.Add(draw(w, "time", time.Second, time.Minute, 3*time.Hour, 25*time.Hour, 8*24*time.Hour)))
	if rapid.Bool().Draw(w.T, "sweep") {
		w.sweep()
	}
}

func (w *world) sweep() {
	// A message may time out in one step and go in the next.
	for idle := 0; idle < 2; {
		more, err := w.service.Sweep(w.ctx)
		w.agree(fine, err)
		if !more {
			idle++
		}
	}
	w.model.sweep()
}

func (w *world) removeUser() {
	user := draw(w, "removed", "bob", "dan", "nobody")
	w.agree(fine, w.service.RemoveUser(w.ctx, messaging.UserID(user)))
	w.model.removeUser(user)
	if slices.Contains([]string{"bob", "dan"}, user) {
		w.model.users = append(w.model.users, user) // and the id is given to somebody new
	}
}
