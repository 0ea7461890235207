package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"edict/bench/torture/history"
)

// placed is an item that was published, and where.
type placed struct{ channel, id, key string }

// shelf is the items of the owner, for those who correct, delete and read them. Its zero value is empty.
type shelf struct {
	mu    sync.Mutex
	items []placed
}

func (s *shelf) add(p placed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = append(s.items, p)
}

// any returns one of the last items.
func (s *shelf) any(random *rand.Rand) (placed, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.items) == 0 {
		return placed{}, false
	}
	return s.items[max(0, len(s.items)-1-random.IntN(60))], true
}

// unlessMissing returns the error of a request about an item that was refused for another reason than that the item is not there any
// more: retention or a deletion may have taken it.
func unlessMissing(ctx context.Context, err error) error {
	if statusOf(err) == 404 {
		return nil
	}
	return unlessGone(ctx, err)
}

// pause waits for up to most, and reports whether the load continues.
func (l *life) pause(ctx context.Context, random *rand.Rand, most time.Duration) bool {
	select {
	case <-time.After(time.Duration(random.Int64N(int64(most)))): // the pace is what is random
		return !l.stopped()
	case <-l.stop:
	case <-ctx.Done():
	}
	return false
}

// editor corrects items, and deletes some of the channel "too", until it is told to stop.
func (l *life) editor(ctx context.Context, random *rand.Rand) error {
	c := l.caller(owner, "")
	revisions := map[string]int{}
	for n := 0; l.pause(ctx, random, 10*time.Millisecond); n++ {
		item, ok := l.items.any(random)
		if !ok {
			continue
		}
		var err error
		if n%3 == 0 && item.channel == channelNames[1] {
			err = l.remove(ctx, c, item)
		} else {
			revisions[item.id]++
			err = l.correct(ctx, c, item, revisions[item.id])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (l *life) correct(ctx context.Context, c *caller, item placed, revision int) error {
	e := &history.Correction{Span: history.Span{Begin: l.rec.Now()}, Outcome: history.Unknown, Item: item.id, Revision: revision}
	l.rec.Add(e)
	body := fmt.Sprintf(`{"content":{"key":"%s","revision":%d}}`, item.key, revision)
	err := c.call(ctx, "PUT", "/channels/"+item.channel+"/items/"+item.id, "", body, nil)
	if e.Outcome = outcomeOf(err); e.Outcome == history.Acknowledged {
		e.End = l.rec.Now()
	}
	return unlessMissing(ctx, err)
}

func (l *life) remove(ctx context.Context, c *caller, item placed) error {
	d := &history.Deletion{Span: history.Span{Begin: l.rec.Now()}, Outcome: history.Unknown, Items: []string{item.id}}
	l.rec.Add(d)
	err := c.call(ctx, "DELETE", "/channels/"+item.channel+"/items?id="+item.id, "", "", nil)
	if d.Outcome = outcomeOf(err); d.Outcome == history.Acknowledged {
		d.End = l.rec.Now()
	}
	return unlessGone(ctx, err)
}

// marker has a user mark items as read, and asks what is unread, until it is told to stop.
func (l *life) marker(ctx context.Context, user string, random *rand.Rand) error {
	c := l.caller(user, "")
	for l.pause(ctx, random, 40*time.Millisecond) {
		if item, ok := l.items.any(random); ok {
			if err := l.mark(ctx, c, item); err != nil {
				return err
			}
		}
		if random.IntN(3) == 0 {
			if err := unlessGone(ctx, l.readUnread(ctx, user)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *life) mark(ctx context.Context, c *caller, item placed) error {
	m := &history.Mark{Span: history.Span{Begin: l.rec.Now()}, Outcome: history.Unknown, User: c.user, Channel: item.channel, UpTo: item.id}
	l.rec.Add(m)
	err := c.call(ctx, "PUT", "/channels/"+item.channel+"/read", "", fmt.Sprintf(`{"upTo":"%s"}`, item.id), nil)
	if m.Outcome = outcomeOf(err); m.Outcome == history.Acknowledged {
		m.End = l.rec.Now()
	}
	return unlessMissing(ctx, err)
}

// readUnread notes what a user is notified of the channels that are published to.
func (l *life) readUnread(ctx context.Context, user string) error {
	at := history.Span{Begin: l.rec.Now()}
	var list []struct {
		ChannelName string
		ReadUpTo    *string
		Unread      int
	}
	if err := l.caller(user, "").call(ctx, "GET", "/channels/my_subscriptions", "", "", &list); err != nil {
		return err
	}
	at.End = l.rec.Now()
	for _, s := range list {
		if _, ok := channels[s.ChannelName]; !ok {
			continue
		}
		u := &history.Unread{Span: at, User: user, Channel: s.ChannelName, Count: s.Unread}
		if s.ReadUpTo != nil {
			u.UpTo = *s.ReadUpTo
		}
		l.rec.Add(u)
	}
	return nil
}
