package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"edict/bench/torture/history"
)

// An admin changes the display name and the password of an account, that no other client uses, and a backend gets tokens of it.
const (
	boss    = "root"
	account = "eve"
	backend = "backend"
)

const accountPath = "/auth/users/" + account

func password(value int) string { return fmt.Sprint("password number ", value) }

// registrar changes the account until it is told to stop, and looks whether it is changed.
func (l *life) registrar(ctx context.Context, random *rand.Rand) error {
	c := l.caller(boss, "")
	for value := 1; !l.stopped(); value++ {
		select {
		case <-time.After(time.Duration(10+random.IntN(40)) * time.Millisecond): // within the rate of identity
		case <-ctx.Done():
		}
		what, method, path, body := "name", "PATCH", accountPath, fmt.Sprintf(`{"displayName":"%d"}`, value)
		switch value % 8 {
		case 0:
			what, method, path, body = "password", "PUT", accountPath+"/password", fmt.Sprintf(`{"newPassword":"%s"}`, password(value))
		case 4:
			form, err := l.mintForm(ctx, c, account)
			if err != nil {
				if err := unlessGone(ctx, err); err != nil {
					return err
				}
				continue
			}
			what, method, path, body = "token", "POST", "/auth/token", form
		}
		change := &history.Change{Span: history.Span{Begin: l.rec.Now()}, Outcome: history.Unknown, What: what, Value: value}
		l.rec.Add(change)
		var answer any
		if what == "token" {
			answer = &l.minted
		}
		err := c.call(ctx, method, path, "", body, answer)
		if change.Outcome = outcomeOf(err); change.Outcome == history.Acknowledged {
			change.End = l.rec.Now()
		}
		if err := unlessGone(ctx, err); err != nil {
			return err
		}
		if err := unlessGone(ctx, l.lookAt(ctx, c, change)); err != nil {
			return err
		}
	}
	return nil
}

// issued is an answer of the token endpoint.
type issued struct {
	Access string `json:"access_token"`
}

// mintForm returns the form by which the backend gets a token of a user; it needs one of its own before.
func (l *life) mintForm(ctx context.Context, c *caller, user string) (string, error) {
	var own issued
	if err := c.call(ctx, "POST", "/auth/token", "", "client_id="+backend+"&client_secret="+l.secret+"&grant_type=client_credentials", &own); err != nil {
		return "", err
	}
	return exchangeForm(backend, l.secret, own.Access, user), nil
}

// exchangeForm is the form by which a client with its own token gets one of a user.
func exchangeForm(client, secret, token, user string) string {
	return "client_id=" + client + "&client_secret=" + secret + "&grant_type=urn:ietf:params:oauth:grant-type:token-exchange" +
		"&subject_token_type=urn:ietf:params:oauth:token-type:access_token&subject_token=" + token + "&requested_subject=" + user
}

// lookAt notes what has become of a change.
func (l *life) lookAt(ctx context.Context, c *caller, change *history.Change) error {
	look := &history.Look{Span: history.Span{Begin: l.rec.Now()}, What: change.What, Value: change.Value}
	switch change.What {
	case "token":
		if change.Outcome != history.Acknowledged {
			return nil
		}
		if err := newCaller(l.gate, account, "", l.minted.Access).call(ctx, "GET", "/auth/userinfo", "", "", nil); err != nil {
			return err
		}
	case "password":
		if change.Outcome != history.Acknowledged {
			return nil
		}
		ok, err := c.signsIn(ctx, password(change.Value))
		if err == nil && !ok {
			err = &refusal{"POST /auth/token", 400, fmt.Sprintf("the password %d, which was acknowledged, is refused", change.Value)}
		}
		if err != nil {
			return err
		}
	default:
		var found struct{ DisplayName string }
		if err := c.call(ctx, "GET", accountPath, "", "", &found); err != nil {
			return err
		}
		look.Value, _ = strconv.Atoi(found.DisplayName) // "" before the first change
	}
	look.End = l.rec.Now()
	l.rec.Add(look)
	return nil
}

// signsIn reports whether the account has a password. Where too many others were tried before, it waits.
func (c *caller) signsIn(ctx context.Context, password string) (bool, error) {
	form := "grant_type=password&username=" + account + "&password=" + strings.ReplaceAll(password, " ", "+")
	err := c.call(ctx, "POST", "/auth/token", "", form, nil)
	for statusOf(err) == http.StatusTooManyRequests && ctx.Err() == nil {
		time.Sleep(time.Second) // the server counts attempts by the clock
		err = c.call(ctx, "POST", "/auth/token", "", form, nil)
	}
	if statusOf(err) == 400 {
		return false, nil
	}
	return err == nil, err
}

// readAccount reads the account again when all is over: the name, the password and the audit trail.
func (l *life) readAccount(ctx context.Context) error {
	c := l.caller(boss, "")
	changes := l.rec.History().Changes
	name := &history.Change{What: "name", Outcome: history.Acknowledged}
	if err := l.lookAt(ctx, c, name); err != nil {
		return err
	}
	if err := l.readPassword(ctx, c, changes); err != nil {
		return err
	}
	trail := &history.Trail{Span: history.Span{Begin: l.rec.Now()}}
	for cursor := ""; ; {
		var page struct {
			Entries    []struct{ Act string }
			NextCursor string
		}
		if err := c.call(ctx, "GET", "/auth/audit?size=1000&user="+account+"&cursor="+cursor, "", "", &page); err != nil {
			return err
		}
		for _, e := range page.Entries {
			if e.Act == "user.changed" || e.Act == "password.changed" || e.Act == "token.minted" {
				trail.Lines++
			}
		}
		if cursor = page.NextCursor; cursor == "" {
			break
		}
	}
	trail.End = l.rec.Now()
	l.rec.Add(trail)
	return nil
}

// readPassword finds out which of the last passwords is the account's: the newest ones first, as far as one that was
// acknowledged, which must be it then.
func (l *life) readPassword(ctx context.Context, c *caller, changes []*history.Change) error {
	look := &history.Look{Span: history.Span{Begin: l.rec.Now()}, What: "password"}
	for _, change := range slices.Backward(changes) {
		if change.What != "password" {
			continue
		}
		ok, err := c.signsIn(ctx, password(change.Value))
		if err != nil {
			return err
		}
		if ok {
			look.Value = change.Value
			break
		}
		if change.Outcome == history.Acknowledged {
			break
		}
	}
	look.End = l.rec.Now()
	l.rec.Add(look)
	return nil
}
