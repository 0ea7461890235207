package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"edict/bench/program"
	"edict/bench/seed"
)

// act is something that clients do over and over.
type act struct {
	name, what string
	prepare    func(c *cluster, clients int, o options) ([]*client, error)
}

var acts = []act{
	{"publish", "durable publishes", preparePublish},
	{"send", "messages sent to a user and acknowledged by a device", prepareSend},
}

// client does something over and over, on its own connection.
type client struct {
	conn   *program.Conn
	act    func() error
	took   []time.Duration
	failed error
}

// drive has clients act for a time and returns how long each act took, sorted.
func drive(ctx context.Context, clients []*client, d time.Duration) (took []time.Duration, err error) {
	var stop atomic.Bool
	defer time.AfterFunc(d, func() { stop.Store(true) }).Stop()
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	var wg sync.WaitGroup
	for _, c := range clients {
		wg.Go(func() {
			for !stop.Load() {
				began := time.Now()
				if c.failed = c.act(); c.failed != nil {
					stop.Store(true)
					return
				}
				c.took = append(c.took, time.Since(began))
			}
		})
	}
	wg.Wait()
	for _, c := range clients {
		c.conn.Close()
		if c.failed != nil {
			return nil, c.failed
		}
		took = append(took, c.took...)
	}
	slices.Sort(took)
	return took, ctx.Err()
}

// connect returns clients that are spread over the nodes.
func connect(c *cluster, n int) (all []*client, err error) {
	for i := range n {
		conn, err := program.Dial(c.nodes[i%len(c.nodes)].Addr)
		if err != nil {
			return nil, err
		}
		all = append(all, &client{conn: conn})
	}
	return all, nil
}

// post makes a POST request of the service.
func post(token, path, body string) []byte {
	return fmt.Appendf(nil, "POST /message/api/v2%s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		path, token, len(body), body)
}

// ask sends a request that has to be answered with a status below 300, and returns the answer.
func (c *client) ask(request []byte) ([]byte, error) {
	status, body, err := c.conn.Do(request)
	if err != nil {
		return nil, err
	}
	if status >= 300 {
		return nil, fmt.Errorf("status %d: %s", status, body)
	}
	return body, nil
}

func preparePublish(c *cluster, n int, o options) ([]*client, error) {
	clients, err := connect(c, n)
	if err != nil {
		return nil, err
	}
	for i := range o.channels {
		if _, err := clients[0].ask(post(c.sender, "/channels", fmt.Sprintf(`{"channelName":"bench%d"}`, i))); err != nil {
			return nil, err
		}
	}
	for i, cl := range clients {
		request := post(c.sender, fmt.Sprintf("/channels/bench%d/items", i%o.channels), fmt.Sprintf(`{"content":%s}`, seed.Content(i, 0, o.size)))
		cl.act = func() error {
			_, err := cl.ask(request)
			return err
		}
	}
	return clients, nil
}

func prepareSend(c *cluster, n int, o options) ([]*client, error) {
	clients, err := connect(c, n)
	if err != nil {
		return nil, err
	}
	if _, err := clients[0].ask(post(c.other, "/devices", `{"deviceId":"phone"}`)); err != nil {
		return nil, err
	}
	for i, cl := range clients {
		send := post(c.sender, "/messages/send_to_user_ids", fmt.Sprintf(`{"recipientUserIds":["other"],"content":%s}`, seed.Content(i, 0, o.size)))
		cl.act = func() error {
			answer, err := cl.ask(send)
			if err != nil {
				return err
			}
			id, err := messageID(answer)
			if err != nil {
				return err
			}
			_, err = cl.ask(post(c.other, "/messages/"+id+"/ack", `{"state":"RECEIVED"}`))
			return err
		}
	}
	return clients, nil
}

// messageID finds the id in an answer.
func messageID(answer []byte) (string, error) {
	_, rest, _ := bytes.Cut(answer, []byte(`"messageId":"`))
	id, _, ok := bytes.Cut(rest, []byte(`"`))
	if !ok {
		return "", fmt.Errorf("an answer without an id: %s", answer)
	}
	return string(id), nil
}

func percentile(sorted []time.Duration, p int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, len(sorted)*p/100)].Round(time.Microsecond)
}
