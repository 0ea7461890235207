package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"edict/bench/torture/history"
)

// The owner changes the record of channels of its own, makes and deletes one, and bans, invites and removes a member: no client
// reads those channels.
const (
	hall  = "/channels/hall"
	club  = "/channels/club"
	stall = "/channels/stall"

	member = "mia"
)

// thing is something that the keeper changes: odd values give it, even ones take it back.
type thing struct {
	what       string
	give, take func(ctx context.Context, l *life) error
	given      func(ctx context.Context, l *life) (bool, error)
}

func byOwner(method, path, body string) func(context.Context, *life) error {
	return func(ctx context.Context, l *life) error {
		return l.caller(owner, "").call(ctx, method, path, "", body, nil)
	}
}

func byMember(method, path string) func(context.Context, *life) error {
	return func(ctx context.Context, l *life) error {
		return l.caller(member, "").call(ctx, method, path, "", "", nil)
	}
}

// may reports whether a request is let through: the statuses are those of a refusal.
func may(ask func(context.Context, *life) error, statuses ...int) func(context.Context, *life) (bool, error) {
	return func(ctx context.Context, l *life) (bool, error) {
		err := ask(ctx, l)
		if slices.Contains(statuses, statusOf(err)) {
			return false, nil
		}
		return err == nil, err
	}
}

// things are what the keeper changes.
var things = []thing{
	{"ban", byOwner("PUT", hall+"/bans/"+member, ""), byOwner("DELETE", hall+"/bans/"+member, ""), banned},
	{"invitation", byOwner("POST", club+"/invite", `{"userIds":["`+member+`"]}`), byOwner("DELETE", club+"/invite/"+member, ""),
		may(byMember("GET", "/channels/"+owner+"%23club"), 404)},
	{"channel", byOwner("POST", "/channels", `{"channelName":"stall"}`), byOwner("DELETE", stall, ""), may(byOwner("GET", stall, ""), 404)},
	{"subscription", byMember("PUT", lounge+"/subscribe"), byOwner("DELETE", lounge+"/subscriptions/"+member, ""), subscribed},
}

// banned reads both sides of a ban: the list, and what the banned user may do.
func banned(ctx context.Context, l *life) (bool, error) {
	var found struct{ Bans []struct{ UserID string } }
	if err := l.caller(owner, "").call(ctx, "GET", hall+"/bans", "", "", &found); err != nil {
		return false, err
	}
	listed := slices.ContainsFunc(found.Bans, func(b struct{ UserID string }) bool { return b.UserID == member })
	in, err := may(byMember("GET", hall+"/items/fetch"), 403)(ctx, l)
	if err == nil && in == listed {
		err = &refusal{hall, 403, fmt.Sprintf("the list of bans has %s: %v; and it may read: %v", member, listed, in)}
	}
	return listed, err
}

func subscribed(ctx context.Context, l *life) (bool, error) {
	var found []struct{ ChannelName string }
	err := l.caller(member, "").call(ctx, "GET", "/channels/my_subscriptions", "", "", &found)
	return slices.ContainsFunc(found, func(s struct{ ChannelName string }) bool { return s.ChannelName == "lounge" }), err
}

func (l *life) setUpKeeper(ctx context.Context) error {
	for _, body := range []string{
		`{"channelName":"hall","subscribeOnCreate":false}`, `{"channelName":"lounge","subscribeOnCreate":false}`, `{"channelName":"club","privateChannel":true,"inviteOnly":true}`,
	} {
		if err := l.caller(owner, "").call(ctx, "POST", "/channels", "", body, nil); err != nil {
			return err
		}
	}
	return nil
}

// keeper changes things until it is told to stop, and looks whether they are changed.
func (l *life) keeper(ctx context.Context, random *rand.Rand) error {
	values := make([]int, len(things))
	for value := 1; l.pause(ctx, random, 20*time.Millisecond); value++ {
		if err := l.keepRecord(ctx, value); err != nil {
			return unlessGone(ctx, err)
		}
		for i, t := range things {
			done, err := l.keep(ctx, t, values[i]+1)
			if err != nil {
				return unlessGone(ctx, err)
			}
			values[i] += btoi(done)
		}
	}
	return nil
}

const record = "record"

// keepRecord changes the record of a channel.
func (l *life) keepRecord(ctx context.Context, value int) error {
	change := &history.Change{Span: history.Span{Begin: l.rec.Now()}, Outcome: history.Unknown, What: record, Value: value}
	l.rec.Add(change)
	err := l.caller(owner, "").call(ctx, "PATCH", hall, "", fmt.Sprintf(`{"description":"%d"}`, value), nil)
	if change.Outcome = outcomeOf(err); change.Outcome == history.Acknowledged {
		change.End = l.rec.Now()
	}
	if change.Outcome == history.Refused {
		return err
	}
	return l.lookAtRecord(ctx)
}

func (l *life) lookAtRecord(ctx context.Context) error {
	look := &history.Look{Span: history.Span{Begin: l.rec.Now()}, What: record}
	var found struct{ Description string }
	if err := l.insist(ctx, func() error { return l.caller(owner, "").call(ctx, "GET", hall, "", "", &found) }); err != nil {
		return err
	}
	look.Value, _ = strconv.Atoi(found.Description) // "" before the first change
	look.End = l.rec.Now()
	l.rec.Add(look)
	return nil
}

// keep gives a thing its next value, and reports whether it has it.
func (l *life) keep(ctx context.Context, t thing, value int) (bool, error) {
	change := &history.Change{Span: history.Span{Begin: l.rec.Now()}, Outcome: history.Unknown, What: t.what, Value: value}
	l.rec.Add(change)
	ask := t.take
	if value%2 == 1 {
		ask = t.give
	}
	err := ask(ctx, l)
	if change.Outcome = outcomeOf(err); change.Outcome == history.Acknowledged {
		change.End = l.rec.Now()
	}
	if change.Outcome == history.Refused {
		return false, err
	}
	if err := l.decided(ctx, change.Outcome); err != nil {
		return false, err
	}
	return l.lookAtThing(ctx, t, value)
}

// decided returns when it is decided what became of a request without an answer: with several nodes PostgreSQL may still be committing for one that is gone,
// and commits nothing else before.
func (l *life) decided(ctx context.Context, o history.Outcome) error {
	if o != history.Unknown || !l.victim.hears() {
		return nil
	}
	return l.insist(ctx, func() error { return byOwner("PATCH", club, `{"description":"settled"}`)(ctx, l) })
}

// lookAtThing notes whether a thing has a value or the one before.
func (l *life) lookAtThing(ctx context.Context, t thing, value int) (bool, error) {
	look := &history.Look{Span: history.Span{Begin: l.rec.Now()}, What: t.what, Value: value}
	given := false
	err := l.insist(ctx, func() (err error) {
		given, err = t.given(ctx, l)
		return err
	})
	if err != nil {
		return false, err
	}
	if given != (value%2 == 1) {
		look.Value--
	}
	look.End = l.rec.Now()
	l.rec.Add(look)
	return look.Value == value, nil
}

// readThings looks again when all is over.
func (l *life) readThings(ctx context.Context) error {
	last := map[string]int{}
	for _, change := range l.rec.History().Changes {
		last[change.What] = change.Value
	}
	for _, t := range things {
		if last[t.what] == 0 {
			continue
		}
		if _, err := l.lookAtThing(ctx, t, last[t.what]); err != nil {
			return err
		}
	}
	return l.lookAtRecord(ctx)
}
