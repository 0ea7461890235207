package storetest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"edict/messaging"
)

// worldClaim is a claim with the lease that the model gave it.
type worldClaim struct {
	messaging.Claim
	lease int
}

func (w *world) claim() {
	lease := draw(w, "lease", time.Millisecond, time.Minute, 4*time.Hour)
	got, err := w.service.ClaimWakeups(w.ctx, "webpush", 1000, lease)
	w.agree(fine, err)
	want := w.model.claim(lease)
	var claimed []string
	for _, c := range got.Claims {
		key := modelSub{string(c.User), c.Device}
		claimed = append(claimed, fmt.Sprint(key))
		w.claims = append(w.claims, worldClaim{c, want[key]})
		w.equal(string(c.Target), `{"endpoint":"https://push.example"}`)
		name := ""
		if channel := w.model.queue[key].channel; channel != nil {
			name = channel.full()
		}
		w.equal(c.ChannelName, name)
	}
	var expected []string
	for key := range maps.Keys(want) {
		expected = append(expected, fmt.Sprint(key))
	}
	slices.Sort(claimed)
	slices.Sort(expected)
	w.equal(claimed, expected)
	var next time.Time
	for _, q := range w.model.queue {
		if next.IsZero() || q.due.Before(next) {
			next = q.due
		}
	}
	w.equal(got.Next, next)
	backlog, err := w.service.WakeupBacklog(w.ctx, "webpush")
	w.agree(fine, err)
	w.equal(backlog, messaging.Backlog{Devices: len(w.model.queue), Due: next})
}

func (w *world) settle() {
	if len(w.claims) == 0 {
		return
	}
	c := draw(w, "claim", w.claims...)
	outcome := draw(w, "outcome", "sent", "later", "dead")
	pause := draw(w, "pause", 0, time.Minute)
	var err error
	switch outcome {
	case "sent":
		err = w.service.WakeupSent(w.ctx, c.Claim)
	case "later":
		err = w.service.WakeupLater(w.ctx, c.Claim, w.model.now.Add(pause))
	case "dead":
		err = w.service.WakeupDead(w.ctx, c.Claim)
	}
	held := w.model.settle(modelSub{string(c.User), c.Device}, c.lease, outcome, pause)
	if lost := errors.Is(err, messaging.ErrLeaseLost); lost == held || !lost && err != nil {
		w.Fatalf("%s ended with %v, while the lease is held: %v", outcome, err, held)
	}
}
