package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"edict/bench/program"
	"edict/bench/seed"
)

// page is what a fetch answers.
type page struct {
	Items []struct {
		ItemID  string
		Content json.RawMessage
	}
	NextCursor string
}

// verify reads every channel from end to end: what a publisher was given an id for is there once, as it was sent, and
// in the order in which it was sent.
func (l *load) verify(s *server) error {
	c, err := program.Dial(s.Addr)
	if err != nil {
		return err
	}
	defer c.Close()
	for channel := range l.channels {
		if err := l.verifyChannel(s, c, channel); err != nil {
			return fmt.Errorf("channel bench%d: %w", channel, err)
		}
	}
	return nil
}

func (l *load) verifyChannel(s *server, c *program.Conn, channel int) error {
	acked := map[string]owned{}
	for _, p := range l.publishers {
		for n, id := range p.ids {
			if p.channel != channel {
				break
			}
			if _, twice := acked[id]; twice {
				return fmt.Errorf("the id %s was given twice", id)
			}
			acked[id] = owned{p.number, n}
		}
	}
	seen := reading{load: l, acked: acked, last: map[int]int{}}
	for cursor := ""; ; {
		path := fmt.Sprintf("/channels/bench%d/items/fetch?size=1000", channel)
		if cursor != "" {
			path += "&cursor=" + cursor
		}
		status, body, err := c.Do(get(s, path))
		if err != nil || status != 200 {
			return fmt.Errorf("fetch: status %d (%w)", status, err)
		}
		var p page
		if err := json.Unmarshal(body, &p); err != nil {
			return err
		}
		for _, item := range p.Items {
			if err := seen.item(item.ItemID, item.Content); err != nil {
				return err
			}
		}
		if cursor = p.NextCursor; cursor == "" {
			break
		}
	}
	if len(acked) > 0 {
		return fmt.Errorf("%d items that were acknowledged are not there", len(acked))
	}
	return nil
}

// owned says whose item it is, and which.
type owned struct{ publisher, n int }

// reading is a channel being read from the beginning.
type reading struct {
	load  *load
	acked map[string]owned // not seen yet
	last  map[int]int      // by publisher: the last number seen, plus one
	extra int              // items without an answer: the server was killed before it could answer
}

func (r *reading) item(id string, got json.RawMessage) error {
	o, ok := r.acked[id]
	if !ok {
		r.extra++
		if r.extra > len(r.load.publishers) {
			return fmt.Errorf("item %s is there, but nobody published it, or it is there twice", id)
		}
		return nil
	}
	delete(r.acked, id)
	if want := seed.Content(o.publisher, o.n, r.load.size); string(got) != want {
		return fmt.Errorf("item %s is %s, want %s", id, got, want)
	}
	if o.n < r.last[o.publisher] {
		return errors.New("items of one publisher are out of order")
	}
	r.last[o.publisher] = o.n + 1
	return nil
}
