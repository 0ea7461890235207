package main

import (
	"context"
	"io"
)

// streamAttacks open more streams than any user needs.
var streamAttacks = []attack{
	{name: "streams-held", what: "a user opens 400 streams from one address; the server has 256 descriptors", descriptors: 256, run: func(ctx context.Context, t *target) {
		each(ctx, 400, func(ctx context.Context, _ int) error { return hold(ctx, t, 0, 0) })
	}},
	{name: "streams-addresses", what: "four users open 400 streams from 100 addresses; the server has 256 descriptors", descriptors: 256, run: func(ctx context.Context, t *target) {
		each(ctx, 400, func(ctx context.Context, i int) error { return hold(ctx, t, i%100, i) })
	}},
	{name: "streams-churn", what: "40 connections open a stream, close it and open the next", run: func(ctx context.Context, t *target) {
		each(ctx, 40, func(ctx context.Context, i int) error {
			w, err := t.wire(ctx, i)
			if err != nil {
				return err
			}
			defer w.close()
			return w.open(message("GET", "/message/api/v2/events", t.token(i), "", ""))
		})
	}},
	{name: "cursors-forged", what: "40 connections resume with cursors that were made up", run: func(ctx context.Context, t *target) {
		flood(ctx, t, 40, func(i int) string {
			return message("GET", "/message/api/v2/events?cursor="+forged(i), t.token(i), "", "")
		})
	}},
	{name: "cursors-pages", what: "40 connections page with cursors that were made up", run: func(ctx context.Context, t *target) {
		makeChannel(ctx, t)
		flood(ctx, t, 40, func(i int) string {
			return message("GET", mallorys+"/items/fetch?cursor="+forged(i), t.token(i), "", "")
		})
	}},
}

// open sends the request of a stream and reads the head of the answer.
func (w *wire) open(request string) error {
	if _, err := io.WriteString(w, request); err != nil {
		w.did.Failed.Add(1)
		return err
	}
	status, _, err := w.head()
	w.did.count(status, err)
	if err == nil && status >= 400 {
		err = errRefused
	}
	return err
}

var errRefused = io.ErrClosedPipe

// hold opens a stream and reads it until the attack ends.
func hold(ctx context.Context, t *target, address, user int) error {
	w, err := t.wire(ctx, address)
	if err != nil {
		return err
	}
	defer w.close()
	if err := w.open(message("GET", "/message/api/v2/events", t.token(user), "", "")); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, w.in)
	return err
}

// forged returns something like a cursor.
func forged(i int) string {
	made := []string{"eedkr5d8mx6jh06bw3vj5nh000", "zzzzzzzzzzzzzzzzzzzzzzzzzz", "0000000000000000000000000", "AAAA", repeat("e", 4000), "-1", "%00%00"}
	return made[i%len(made)]
}
