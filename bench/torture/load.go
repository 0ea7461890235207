package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"edict/bench/torture/history"
)

// channels are what is published to; "all" gets the mark of the end.
var channels = map[string]int{"all": history.Unlimited, "too": history.Unlimited, "some": 50, "few": 5, "none": 0}

var channelNames = []string{"all", "too", "some", "few", "none"}

// users are who messages are sent to. The owner, who publishes and sends, gets none.
var users = map[string][]string{"bob": {"desk", "phone"}, "cal": nil}

const owner = "ann"

// publish publishes one item. With again set it is tried, with an idempotency key, until it is answered.
func (l *life) publish(ctx context.Context, c *caller, channel, key string, size int, again bool) error {
	p := &history.Publish{Span: history.Span{Begin: l.rec.Now()}, Outcome: history.Unknown, Channel: channel, By: c.user, Key: key}
	l.rec.Add(p)
	body := fmt.Sprintf(`{"content":{"key":"%s","pad":"%s"}}`, key, strings.Repeat("x", size))
	idempotency := ""
	if again {
		idempotency = key
	}
	for {
		var answer struct{ MessageID string }
		err := c.call(ctx, "POST", "/channels/"+channel+"/items", idempotency, body, &answer)
		if p.Outcome = outcomeOf(err); p.Outcome == history.Unknown && again && ctx.Err() == nil {
			continue
		}
		p.Over = l.rec.Now()
		if p.Outcome == history.Acknowledged {
			p.ID, p.End = answer.MessageID, l.rec.Now()
			l.meter.tick()
			if _, read := channels[channel]; read && c.user == owner {
				l.items.add(placed{channel, p.ID, key})
			}
		}
		return unlessGone(ctx, err)
	}
}

// send sends one message, as publish does.
func (l *life) send(ctx context.Context, c *caller, key string, again bool) error {
	s := &history.Send{Span: history.Span{Begin: l.rec.Now()}, Outcome: history.Unknown, Key: key, From: owner, To: []string{"bob", "cal"}}
	l.rec.Add(s)
	body := fmt.Sprintf(`{"recipientUserIds":["bob","cal"],"receipt":true,"content":{"key":"%s"}}`, key)
	idempotency := ""
	if again {
		idempotency = key
	}
	for {
		var answer struct{ SentList []struct{ MessageID string } }
		err := c.call(ctx, "POST", "/messages/send_to_user_ids", idempotency, body, &answer)
		if s.Outcome = outcomeOf(err); s.Outcome == history.Unknown && again && ctx.Err() == nil {
			continue
		}
		if s.Outcome == history.Acknowledged {
			if len(answer.SentList) != 3 {
				return fmt.Errorf("a message to 3 devices was sent to %v", answer.SentList)
			}
			s.ID, s.End = answer.SentList[0].MessageID, l.rec.Now()
			l.sent.add(s.ID)
		}
		return unlessGone(ctx, err)
	}
}

// unlessGone returns the error of a request that was refused: the load asks for nothing that may be. That a server is gone,
// or cannot store anything, is what is tried here.
func unlessGone(ctx context.Context, err error) error {
	if outcomeOf(err) == history.Refused && ctx.Err() == nil {
		return err
	}
	return nil
}

// publisher publishes until it is told to stop.
func (l *life) publisher(ctx context.Context, n int, random *rand.Rand) error {
	c := l.caller(owner, "")
	if n == publishers-1 {
		c = l.caller("bob", "") // to whom it is not unread
	}
	for i := 0; !l.stopped(); i++ {
		size := random.IntN(300)
		if random.IntN(20) == 0 {
			size = random.IntN(20_000)
		}
		channel := channelNames[random.IntN(len(channelNames))]
		if err := l.publish(ctx, c, channel, fmt.Sprintf("p%d-%d", n, i), size, n%2 == 0); err != nil {
			return err
		}
	}
	return nil
}

// sender sends until it is told to stop.
func (l *life) sender(ctx context.Context, n int, _ *rand.Rand) error {
	c := l.caller(owner, "")
	for i := 0; !l.stopped(); i++ {
		if err := l.send(ctx, c, fmt.Sprintf("m%d-%d", n, i), n%2 == 0); err != nil {
			return err
		}
	}
	return nil
}

// acker acknowledges what a device has got, mostly.
func (l *life) acker(ctx context.Context, c *caller, got *pool, random *rand.Rand) error {
	for !l.stopped() {
		id, ok := got.take(ctx, l.stop)
		if !ok {
			return nil
		}
		for _, state := range []string{"DELIVERED", "RECEIVED"} {
			if random.IntN(4) == 0 {
				continue
			}
			a := &history.Ack{Span: history.Span{Begin: l.rec.Now()}, Outcome: history.Unknown, Message: id, User: c.user, Device: c.device, State: state}
			l.rec.Add(a)
			err := c.call(ctx, "POST", "/messages/"+id+"/ack", "", fmt.Sprintf(`{"state":"%s"}`, state), nil)
			if a.Outcome = outcomeOf(err); a.Outcome == history.Acknowledged {
				a.End = l.rec.Now()
			}
			if err := unlessGone(ctx, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// watcher asks for the states of messages, and reads channels.
func (l *life) watcher(ctx context.Context, n int, random *rand.Rand) error {
	c := l.caller(owner, "")
	for i := 0; !l.stopped(); i++ {
		select {
		case <-time.After(time.Duration(random.IntN(40)) * time.Millisecond): // it watches; the load is the others'
		case <-ctx.Done():
		}
		var err error
		if id, ok := l.sent.any(random); ok && n%2 == 0 {
			var s *history.Status
			if s, err = c.status(ctx, l.rec, id); err == nil {
				l.rec.Add(s)
			}
		} else {
			channel := channelNames[2+random.IntN(3)] // a bounded one
			if i%20 == 0 {
				channel = channelNames[random.IntN(2)]
			}
			var f *history.Fetch
			if f, err = c.fetch(ctx, l.rec, channel); err == nil {
				l.rec.Add(f)
			}
		}
		if err := unlessGone(ctx, err); err != nil {
			return err
		}
	}
	return nil
}

// pool is ids of messages on their way from one goroutine to another.
type pool struct {
	mu   sync.Mutex
	ids  []string
	next int
	more chan struct{}
}

func newPool() *pool { return &pool{more: make(chan struct{}, 1)} }

func (p *pool) add(id string) {
	p.mu.Lock()
	p.ids = append(p.ids, id)
	p.mu.Unlock()
	select {
	case p.more <- struct{}{}:
	default:
	}
}

// take returns the next id that was not taken before, once there is one.
func (p *pool) take(ctx context.Context, stop <-chan struct{}) (string, bool) {
	for {
		p.mu.Lock()
		if p.next < len(p.ids) {
			id := p.ids[p.next]
			p.next++
			p.mu.Unlock()
			return id, true
		}
		p.mu.Unlock()
		select {
		case <-p.more:
		case <-stop:
			return "", false
		case <-ctx.Done():
			return "", false
		}
	}
}

// any returns one of the last ids.
func (p *pool) any(random *rand.Rand) (string, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.ids) == 0 {
		return "", false
	}
	return p.ids[max(0, len(p.ids)-1-random.IntN(30))], true
}
