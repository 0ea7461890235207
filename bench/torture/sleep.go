package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"

	"edict/bench/torture/history"
)

// Devices that sleep: a user has some that connect, go away, and wait to be woken for an item of a channel.
const (
	sleeper     = "dee"
	bell        = "bell"          // the channel
	wokenWithin = 3 * time.Minute // kills, each with the end of a lease, and a busy machine included
)

var sleepers = []string{"clock", "lamp", "radio"}

// doorbell is the push service of those devices.
type doorbell struct {
	server *httptest.Server
	rec    *history.Recorder
	mu     sync.Mutex
	rung   map[string]int // pushes by device
	more   chan struct{}  // closed at the next push
}

func newDoorbell(rec *history.Recorder) *doorbell {
	d := &doorbell{rec: rec, rung: map[string]int{}, more: make(chan struct{})}
	d.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		device := strings.TrimPrefix(r.URL.Path, "/")
		d.mu.Lock()
		rec.Add(&history.Push{At: rec.Now(), Device: device})
		d.rung[device]++
		close(d.more)
		d.more = make(chan struct{})
		d.mu.Unlock()
		w.WriteHeader(http.StatusCreated)
	}))
	return d
}

// count returns how many pushes a device got, and what is closed at the next one.
func (d *doorbell) count(device string) (int, <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.rung[device], d.more
}

// setUpSleepers has the devices known and their user ask to be woken.
func (l *life) setUpSleepers(ctx context.Context) error {
	if err := l.caller(owner, "").call(ctx, "POST", "/channels", "", `{"channelName":"`+bell+`","subscribeOnCreate":false}`, nil); err != nil {
		return err
	}
	for _, device := range sleepers {
		body := fmt.Sprintf(`{"deviceId":"%s","push":{"service":"unifiedpush","endpoint":"%s/%[1]s"}}`, device, l.door.server.URL)
		if err := l.caller(sleeper, device).call(ctx, "POST", "/devices", "", body, nil); err != nil {
			return err
		}
	}
	return l.caller(sleeper, "").call(ctx, "PUT", "/channels/"+bell+"/subscribe", "", `{"wake":"all"}`, nil)
}

// sleep has a device connect and go away, publishes something, and waits for the push, again and again.
func (l *life) sleep(ctx context.Context, device string, random *rand.Rand) error {
	r := &reader{life: l, caller: l.caller(sleeper, device)}
	for n := 0; l.pause(ctx, random, 100*time.Millisecond); n++ {
		stream, url, err := l.showUp(ctx, r)
		if err != nil {
			return err
		}
		night := &history.Sleep{Span: history.Span{Begin: l.rec.Now()}, Device: device, Channel: bell}
		l.rec.Add(night)
		before, _ := l.door.count(device)
		stream.close()
		if err := l.leave(ctx, r, url); err != nil {
			return err
		}
		if err := l.publish(ctx, l.caller(owner, ""), bell, fmt.Sprintf("%s-%d", device, n), 0, true); err != nil {
			return err
		}
		if l.awaitPush(ctx, device, before); ctx.Err() != nil {
			return ctx.Err()
		}
		night.End = l.rec.Now()
	}
	return nil
}

// showUp connects a device and returns its stream when it is live, and the server that it is on.
func (l *life) showUp(ctx context.Context, r *reader) (source, string, error) {
	for {
		url, err := l.gate.await(ctx)
		if err != nil {
			return nil, "", err
		}
		stream, err := r.open(ctx, url)
		if outcomeOf(err) == history.Refused {
			return nil, "", err
		}
		live := false
		for err == nil && !live {
			var frames []frame
			frames, err = stream.next()
			live = slices.ContainsFunc(frames, func(f frame) bool { return f.Event == "ready" })
		}
		if live {
			return stream, url, nil
		}
		if stream != nil {
			stream.close()
		}
		time.Sleep(time.Millisecond) // the server is gone, or going
	}
}

// leave returns when the server that a device was connected to has seen that it is gone, or is gone itself.
func (l *life) leave(ctx context.Context, r *reader, url string) error {
	c := l.caller(owner, "")
	c.only = url
	for {
		var present struct {
			Users []struct {
				UserID  string
				Devices []string
			}
		}
		err := l.insist(ctx, func() error {
			if !l.gate.has(url) {
				return nil
			}
			return c.call(ctx, "GET", "/channels/"+bell+"/presence", "", "", &present)
		})
		if err != nil {
			return err
		}
		there := false
		for _, u := range present.Users {
			there = there || u.UserID == sleeper && slices.Contains(u.Devices, r.caller.device)
		}
		if !there {
			return nil
		}
		time.Sleep(time.Millisecond) // the server has not read the end of the stream yet
	}
}

// awaitPush waits until a device got more pushes than before; the checker sees whether it did.
func (l *life) awaitPush(ctx context.Context, device string, before int) {
	late := time.After(wokenWithin)
	for {
		got, more := l.door.count(device)
		if got > before {
			return
		}
		select {
		case <-more:
		case <-late:
			return
		case <-ctx.Done():
			return
		}
	}
}
