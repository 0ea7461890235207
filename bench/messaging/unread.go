package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"edict/bench/program"
	"edict/bench/seed"
)

const (
	unreadChannels = 1000 // that a reader is subscribed to
	unreadBetween  = 16   // items that a user publishes between two lists, each in another channel
	unreadLists    = 200  // of each kind
)

// unreadBench lists the subscriptions of a user with many channels, in each of which something is unread, and checks every number.
type unreadBench struct {
	*server
	conn   *program.Conn
	author server         // who publishes
	unread map[string]int // by channel
	next   int            // channel to publish to
}

// benchUnread measures lists between which nothing happens, and lists between which a user publishes. What the publishes cost is measured without
// lists, and taken off.
func benchUnread(ctx context.Context, o options, w io.Writer) error {
	dir, err := os.MkdirTemp("", "edict-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	data := filepath.Join(dir, "data")
	if err := seed.Once(ctx, data, unreadChannels, seed.Unread, w); err != nil {
		return err
	}
	s, err := startServer(ctx, o.binary, data, o.rate)
	if err != nil {
		return err
	}
	defer func() { _ = s.Kill() }() // no effect once it is stopped
	b := unreadBench{server: s, author: *s, unread: map[string]int{}}
	for i := range unreadChannels {
		b.unread[seed.ChannelName(i)] = seed.UnreadItems
	}
	if b.author.token, err = tokenOf(ctx, o.binary, data, seed.Author); err != nil {
		return err
	}
	if b.conn, err = program.Dial(s.Addr); err != nil {
		return err
	}
	defer b.conn.Close()
	if err := b.run(w); err != nil {
		return err
	}
	return s.Stop()
}

func (b *unreadBench) run(w io.Writer) error {
	if _, err := b.turns(true, true); err != nil { // whatever there is to remember is remembered then
		return err
	}
	var cpu [3]time.Duration
	for i, turn := range []struct{ publish, list bool }{{false, true}, {true, false}, {true, true}} {
		var err error
		if cpu[i], err = b.turns(turn.publish, turn.list); err != nil {
			return err
		}
	}
	ms := func(d time.Duration) float64 { return d.Seconds() * 1000 / unreadLists }
	fmt.Fprintf(w, "my_subscriptions of %d channels, each with %d unread or more: %.2f ms of the server's processor; %.2f ms with publishes in %d of them between two lists\n",
		unreadChannels, seed.UnreadItems, ms(cpu[0]), ms(cpu[2]-cpu[1]), unreadBetween)
	return nil
}

// turns publishes and lists alternating, or does one of them, and returns the CPU time of the server.
func (b *unreadBench) turns(publish, list bool) (time.Duration, error) {
	before := b.CPU()
	for range unreadLists {
		for range unreadBetween {
			if !publish {
				break
			}
			if err := b.publish(); err != nil {
				return 0, err
			}
		}
		if list {
			if err := b.list(); err != nil {
				return 0, err
			}
		}
	}
	return b.CPU() - before, nil
}

func (b *unreadBench) publish() error {
	name := seed.ChannelName(b.next % unreadChannels)
	b.next++
	status, body, err := b.conn.Do(post(&b.author, "/channels/"+name+"/items", fmt.Sprintf(`{"content":%s}`, seed.Content(0, 0, 100))))
	if err != nil || status != 201 {
		return fmt.Errorf("publish: status %d, %s (%w)", status, body, err)
	}
	b.unread[name]++
	return nil
}

func (b *unreadBench) list() error {
	status, body, err := b.conn.Do(get(b.server, "/channels/my_subscriptions"))
	if err != nil || status != 200 {
		return fmt.Errorf("my_subscriptions: status %d, %.200s (%w)", status, body, err)
	}
	var list []struct {
		ChannelName string
		Unread      int
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return err
	}
	if len(list) != unreadChannels {
		return fmt.Errorf("%d subscriptions, want %d", len(list), unreadChannels)
	}
	for _, s := range list {
		if s.Unread != b.unread[s.ChannelName] {
			return fmt.Errorf("%s has %d unread, want %d", s.ChannelName, s.Unread, b.unread[s.ChannelName])
		}
	}
	return nil
}
