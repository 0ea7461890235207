package main

import (
	"context"
	"fmt"
	"math/rand/v2"
)

// channelAttacks make and search more than any user reads. The many channels of a server are made in its store before it
// starts: as requests they would take minutes.
var channelAttacks = []attack{
	{name: "channels-search", what: "10 connections list and search many channels, deep pages and short words", channels: true, run: func(ctx context.Context, t *target) {
		flood(ctx, t, 10, func(i int) string {
			searches := []string{"size=1000", "size=1000&offset=900000", "channelName=a&size=1000", "channelName=an&description=e", "description=number&size=1000", "channelName=anc", "tag=t1&tag=t2&tag=t3"}
			return message("GET", "/message/api/v2/channels?"+searches[rand.IntN(len(searches))], t.token(i), "", "")
		})
	}},
	{name: "channels-create", what: "10 connections make channels, tags and subscriptions", run: func(ctx context.Context, t *target) {
		flood(ctx, t, 10, func(i int) string {
			return message("POST", "/message/api/v2/channels", t.token(i), asJSON, fmt.Sprintf(`{"channelName":"m%d"}`, rand.Int64()))
		})
	}},
	{name: "keys", what: "10 connections publish to a channel that keeps one item, each time with another idempotency key", run: func(ctx context.Context, t *target) {
		flood1(ctx, t, message("POST", "/message/api/v2/channels", t.token(0), asJSON, `{"channelName":"one","maxItems":1}`))
		flood(ctx, t, 10, func(i int) string {
			body := `{"content":{"a":1}}`
			return fmt.Sprintf("POST /message/api/v2/channels/one/items HTTP/1.1\r\nHost: edict.example\r\nAuthorization: Bearer %s\r\nIdempotency-Key: k%d\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s",
				t.token(i), rand.Int64(), asJSON, len(body), body)
		})
	}},
	{name: "devices", what: "10 connections register devices", run: func(ctx context.Context, t *target) {
		flood(ctx, t, 10, func(i int) string {
			return message("POST", "/message/api/v2/devices", t.token(i), asJSON, fmt.Sprintf(`{"deviceId":"d%d","platform":"web"}`, rand.Int64()))
		})
	}},
}
