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

// The owner changes the record of a channel of its own, and bans the account from it and lets it in again: nobody reads that channel.
const hall = "/channels/hall"

// keeper changes the channel until it is told to stop, and looks whether it is changed.
func (l *life) keeper(ctx context.Context, random *rand.Rand) error {
	c := l.caller(owner, "")
	for value := 1; !l.stopped(); value++ {
		select {
		case <-time.After(time.Duration(random.IntN(20)) * time.Millisecond):
		case <-ctx.Done():
		}
		for _, what := range []string{record, ban} {
			change := &history.Change{Span: history.Span{Begin: l.rec.Now()}, Outcome: history.Unknown, What: what, Value: value}
			l.rec.Add(change)
			err := c.keep(ctx, change)
			if change.Outcome = outcomeOf(err); change.Outcome == history.Acknowledged {
				change.End = l.rec.Now()
			}
			if err := unlessGone(ctx, err); err != nil {
				return err
			}
			if err := unlessGone(ctx, l.lookAtHall(ctx, c, change)); err != nil {
				return err
			}
		}
	}
	return nil
}

// What the keeper changes: odd values ban, even ones lift the ban.
const (
	record = "record"
	ban    = "ban"
)

func (c *caller) keep(ctx context.Context, change *history.Change) error {
	switch {
	case change.What == record:
		return c.call(ctx, "PATCH", hall, "", fmt.Sprintf(`{"description":"%d"}`, change.Value), nil)
	case change.Value%2 == 1:
		return c.call(ctx, "PUT", hall+"/bans/"+account, "", "", nil)
	}
	return c.call(ctx, "DELETE", hall+"/bans/"+account, "", "", nil)
}

// lookAtHall notes what has become of a change.
func (l *life) lookAtHall(ctx context.Context, c *caller, change *history.Change) error {
	look := &history.Look{Span: history.Span{Begin: l.rec.Now()}, What: change.What, Value: change.Value}
	if change.What == record {
		var found struct{ Description string }
		if err := c.call(ctx, "GET", hall, "", "", &found); err != nil {
			return err
		}
		look.Value, _ = strconv.Atoi(found.Description) // "" before the first change
	} else {
		var found struct{ Bans []struct{ UserID string } }
		if err := c.call(ctx, "GET", hall+"/bans", "", "", &found); err != nil {
			return err
		}
		banned := slices.ContainsFunc(found.Bans, func(b struct{ UserID string }) bool { return b.UserID == account })
		if banned != (change.Value%2 == 1) {
			look.Value-- // it is as it was before the change
		}
	}
	look.End = l.rec.Now()
	l.rec.Add(look)
	return nil
}

// readHall looks once more when all is over.
func (l *life) readHall(ctx context.Context) error {
	c := l.caller(owner, "")
	last := map[string]*history.Change{}
	for _, change := range l.rec.History().Changes {
		last[change.What] = change
	}
	for _, what := range []string{record, ban} {
		if last[what] == nil {
			continue
		}
		if err := l.lookAtHall(ctx, c, last[what]); err != nil {
			return err
		}
	}
	return nil
}
