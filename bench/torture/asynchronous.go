package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// lostItems is how many items are published that the standby never gets.
const lostItems = 12

// loseHistory promotes a standby that lacks the last commits: what was acknowledged is gone, as no client was told to wait for it. The operator reports it with
// "edict store new-epoch", unless a node has noticed by then, and from then on every cursor of before is refused by every node, instead of a stream that silently skips. It ends the
// life of the cluster, whose nodes do not run.
func (t *torment) loseHistory(ctx context.Context) error {
	l := t.life
	if err := t.pg.Synchronous(t.primary, ""); err != nil {
		return err
	}
	t.standbyRule = "warn"
	if err := t.startAll(ctx); err != nil {
		return err
	}
	c := l.caller(owner, "")
	r := &reader{life: l, caller: l.caller("bob", "phone")}
	if err := t.publishAndRead(ctx, c, r, "known"); err != nil {
		return err
	}
	before := r.cursor
	if err := t.pg.Streaming(t.primary, false); err != nil {
		return err
	}
	if err := t.pg.CaughtUp(t.primary); err != nil {
		return err
	}
	t.pg.Stop(t.standby)
	for i := range lostItems {
		if err := t.publishAndRead(ctx, c, r, fmt.Sprint("lost-", i)); err != nil {
			return err
		}
	}
	for _, n := range t.nodes {
		n.loses = true
	}
	t.pg.Stop(t.primary)
	if err := errors.Join(t.pg.Start(t.standby), t.pg.Promote(t.standby), t.pg.WaitFor(t.standby, "")); err != nil {
		return err
	}
	t.primary, t.standby = t.standby, t.primary
	l.gate.close()
	if err := t.kill(); err != nil { // the operator stops them
		return err
	}
	if _, err := t.command(ctx, "store", "new-epoch"); err != nil {
		return err
	}
	if err := t.startAll(ctx); err != nil {
		return err
	}
	found := t.afterLoss(ctx, c, r, []string{before, r.cursor})
	t.tally.add(asynchronous, 0)
	if found != nil {
		t.tally.findings[asynchronous]++
	}
	l.gate.close()
	return errors.Join(found, t.kill())
}

func (t *torment) startAll(ctx context.Context) error {
	urls, err := t.start(ctx, 0)
	t.life.gate.open(urls...)
	return err
}

// publishAndRead publishes an item and has a reader read as far as that.
func (t *torment) publishAndRead(ctx context.Context, c *caller, r *reader, key string) error {
	url, err := t.life.gate.await(ctx)
	if err != nil {
		return err
	}
	stream, err := r.open(ctx, url)
	if err != nil {
		return err
	}
	defer stream.close()
	if err := c.call(ctx, "POST", "/channels/"+channelNames[0]+"/items", key, `{"content":{"key":"`+key+`"}}`, nil); err != nil {
		return err
	}
	for {
		frames, err := stream.next()
		if err != nil {
			return err
		}
		for _, f := range frames {
			if f.ID != "" {
				r.cursor = f.ID
			}
			if f.Event == "item" && strings.Contains(string(f.Data), `"key":"`+key+`"`) {
				return nil
			}
		}
	}
}

// afterLoss looks whether all nodes know that history was lost.
func (t *torment) afterLoss(ctx context.Context, c *caller, r *reader, cursors []string) (found error) {
	for _, n := range t.nodes {
		for _, cursor := range cursors {
			r.cursor = cursor
			stream, err := r.open(ctx, "http://"+n.server.Addr)
			if err == nil {
				stream.close()
			}
			if statusOf(err) != http.StatusConflict {
				found = errors.Join(found, fmt.Errorf("node %d: a cursor of before the loss is answered with %w, want 409", n.number, err))
			}
		}
	}
	r.cursor = ""
	if err := t.publishAndRead(ctx, c, r, "after"); err != nil {
		return errors.Join(found, err)
	}
	f, err := c.fetch(ctx, t.life.rec, channelNames[0])
	if err != nil {
		return errors.Join(found, err)
	}
	keys := []string{}
	for _, e := range f.Items[max(0, len(f.Items)-2):] {
		keys = append(keys, e.Key)
	}
	if !slices.Equal(keys, []string{"known", "after"}) {
		found = errors.Join(found, fmt.Errorf("after the loss the channel ends with %v", keys))
	}
	return found
}
