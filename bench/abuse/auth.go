package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"time"
)

// authAttacks are against signing in.
var authAttacks = []attack{
	{name: "passwords-victim", what: "20 connections from 20 addresses guess the password of the honest user", run: func(ctx context.Context, t *target) {
		flood(ctx, t, 20, func(int) string { return signIn(t.Victim, fmt.Sprint("guess", rand.Int())) })
	}},
	{name: "passwords-strangers", what: "40 connections from 40 addresses sign in under names that nobody has", run: func(ctx context.Context, t *target) {
		flood(ctx, t, 40, func(int) string { return signIn(fmt.Sprint("nobody", rand.Int()), "guess") })
	}},
	{name: "refresh-rotate", what: "8 sessions exchange their refresh tokens as fast as they are answered", run: func(ctx context.Context, t *target) {
		each(ctx, 8, func(ctx context.Context, i int) error { return rotate(ctx, t, i) })
	}},
	{name: "refresh-forged", what: "20 connections present refresh tokens that were made up", run: func(ctx context.Context, t *target) {
		flood(ctx, t, 20, func(int) string {
			return message("POST", "/auth/token", "", asForm, fmt.Sprintf("grant_type=refresh_token&refresh_token=edict_rt_%040d", rand.Int()))
		})
	}},
	{name: "revoke-forged", what: "20 connections revoke tokens that were made up", run: func(ctx context.Context, t *target) {
		flood(ctx, t, 20, func(int) string {
			return message("POST", "/auth/revoke", "", asForm, fmt.Sprintf("token=edict_rt_%040d", rand.Int()))
		})
	}},
	{name: "tickets", what: "20 connections take tickets", run: func(ctx context.Context, t *target) {
		flood(ctx, t, 20, func(i int) string { return message("POST", "/auth/ticket", t.token(i), asJSON, "") })
	}},
	{name: "tokens-forged", what: "40 connections present tokens that differ in every request", run: func(ctx context.Context, t *target) {
		flood(ctx, t, 40, func(i int) string {
			token := []byte(t.token(i))
			token[len(token)-1-rand.IntN(80)] = 'A'
			return message("GET", "/message/api/v2/devices", string(token), "", "")
		})
	}},
}

func signIn(name, password string) string {
	return message("POST", "/auth/token", "", asForm, url.Values{"grant_type": {"password"}, "username": {name}, "password": {password}}.Encode())
}

// rotate signs an attacker in and exchanges the session's refresh token over and over.
func rotate(ctx context.Context, t *target, i int) error {
	w, err := t.wire(ctx, i)
	if err != nil {
		return err
	}
	defer w.close()
	request := signIn(fmt.Sprint("mallory", i%attackUsers), honestPassword)
	for ctx.Err() == nil && !w.last {
		status, body, err := w.ask(request)
		if err != nil {
			return err
		}
		if status != 200 {
			rest(ctx, 10*time.Millisecond)
			continue
		}
		var tokens struct {
			Refresh string `json:"refresh_token"`
		}
		if err := json.Unmarshal(body, &tokens); err != nil {
			return err
		}
		request = message("POST", "/auth/token", "", asForm, "grant_type=refresh_token&refresh_token="+tokens.Refresh)
	}
	return nil
}
