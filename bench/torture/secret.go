package main

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"

	"edict/bench/torture/history"
)

// Those who sign in at the login page, set new passwords, end sessions and register clients, and try what must not work any more.
const (
	visitor   = "flo" // signs in at the login page, with password(0)
	forgetful = "gus" // gets codes for new passwords
	app       = "app" // the public client
	backTo    = "http://127.0.0.1/back"
	verifier  = "the-verifier-of-a-challenge-is-43-letters-or-more"
)

// insist repeats a request that may be repeated until it is answered.
func (l *life) insist(ctx context.Context, ask func() error) error {
	for {
		err := ask()
		if outcomeOf(err) != history.Unknown || ctx.Err() != nil {
			return err
		}
		time.Sleep(time.Millisecond) // the gate is about to close
	}
}

// issue notes a secret that a user got by a request that began at a time.
func (l *life) issue(secret string, begin int64, once bool) {
	l.rec.Add(&history.Issue{Span: history.Span{Begin: begin, End: l.rec.Now()}, Secret: secret, Once: once})
}

// try uses a secret until the server reports whether it is good, and notes every try.
func (l *life) try(ctx context.Context, secret string, ask func() error) error {
	return l.insist(ctx, func() error {
		u := &history.Use{Span: history.Span{Begin: l.rec.Now()}, Outcome: history.Unknown, Secret: secret}
		l.rec.Add(u)
		err := ask()
		if u.Outcome = outcomeOf(err); u.Outcome != history.Unknown {
			u.End = l.rec.Now()
		}
		if status := statusOf(err); u.Outcome == history.Refused && status != 400 && status != 401 {
			return err // for another reason
		}
		if u.Outcome == history.Refused {
			return nil
		}
		return err
	})
}

// end takes secrets back by a request that may be repeated.
func (l *life) end(ctx context.Context, ask func() error, secrets ...string) error {
	return l.insist(ctx, func() error {
		e := &history.End{Span: history.Span{Begin: l.rec.Now()}, Outcome: history.Unknown, Secrets: secrets}
		l.rec.Add(e)
		err := ask()
		if e.Outcome = outcomeOf(err); e.Outcome == history.Acknowledged {
			e.End = l.rec.Now()
		}
		return err
	})
}

// tryToken tries a token.
func (l *life) tryToken(ctx context.Context, secret, token string) error {
	return l.try(ctx, secret, func() error { return newCaller(l.gate, "", "", token).call(ctx, "GET", "/auth/userinfo", "", "", nil) })
}

// visitor signs in at the login page until it is told to stop. It presents its code twice: the second time ends what the first gave.
func (l *life) visit(ctx context.Context, random *rand.Rand) error {
	for n := 0; l.pause(ctx, random, 800*time.Millisecond); n++ {
		if err := l.visitOnce(ctx, fmt.Sprint("visit ", n), n%2 == 0); err != nil {
			return unlessGone(ctx, err)
		}
	}
	return nil
}

func (l *life) visitOnce(ctx context.Context, name string, twice bool) error {
	code, begin := "", l.rec.Now()
	err := l.insist(ctx, func() (err error) {
		code, err = l.caller(visitor, "").login(ctx)
		return err
	})
	if err != nil {
		return err
	}
	l.issue("the code of "+name, begin, true)
	form := url.Values{"grant_type": {"authorization_code"}, "client_id": {app}, "redirect_uri": {backTo}, "code": {code}, "code_verifier": {verifier}}.Encode()
	got, begin := issued{}, l.rec.Now()
	redeem := func() error {
		return newCaller(l.gate, visitor, "", "").call(ctx, "POST", "/auth/token", "", form, &got)
	}
	if err := l.try(ctx, "the code of "+name, redeem); err != nil || got.Access == "" {
		return err // spent by a try that got no answer
	}
	token, session := got.Access, "the session of "+name
	l.issue(session, begin, false)
	if err := l.tryToken(ctx, session, token); err != nil {
		return err
	}
	if twice {
		err = l.presentAgain(ctx, "the code of "+name, session, redeem)
	} else {
		err = l.signOut(ctx, session, token)
	}
	if err != nil {
		return err
	}
	return l.remember(ctx, session, token)
}

// presentAgain presents a spent code: that it is refused reports that the session is over.
func (l *life) presentAgain(ctx context.Context, code, session string, redeem func() error) error {
	return l.end(ctx, func() error {
		err := l.try(ctx, code, redeem)
		return err
	}, session)
}

// signOut ends a session: the user's own, by its id.
func (l *life) signOut(ctx context.Context, session, token string) error {
	c := newCaller(l.gate, "", "", token)
	var list struct {
		Sessions []struct {
			SessionID string
			Current   bool
		}
	}
	if err := l.insist(ctx, func() error { return c.call(ctx, "GET", "/auth/sessions", "", "", &list) }); err != nil {
		return err
	}
	for _, s := range list.Sessions {
		if !s.Current {
			continue
		}
		return l.end(ctx, func() error {
			err := l.caller(boss, "").call(ctx, "DELETE", "/auth/sessions/"+s.SessionID, "", "", nil)
			if statusOf(err) == 404 { // by a try that got no answer
				return nil
			}
			return err
		}, session)
	}
	return errors.New("the session of a token is not in the list of sessions")
}

// remember tries a secret that was taken back now, and again when all is over.
func (l *life) remember(ctx context.Context, secret, token string) error {
	l.mu.Lock()
	l.dead = append(l.dead, deadToken{secret, token})
	l.mu.Unlock()
	return l.tryToken(ctx, secret, token)
}

// deadToken is a token that must not work any more.
type deadToken struct{ secret, token string }

// readSecrets tries what was taken back again.
func (l *life) readSecrets(ctx context.Context) error {
	for _, d := range l.dead {
		if err := l.tryToken(ctx, d.secret, d.token); err != nil {
			return err
		}
	}
	return nil
}

// login signs in at the login page and returns the code.
func (c *caller) login(ctx context.Context) (string, error) {
	sum := sha256.Sum256([]byte(verifier))
	form := url.Values{
		"response_type": {"code"}, "client_id": {app}, "redirect_uri": {backTo}, "state": {"s"}, "code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])},
		"code_challenge_method": {"S256"}, "username": {visitor}, "password": {password(0)},
	}
	resp, err := c.ask(ctx, "POST", "/auth/authorize", "", form.Encode())
	if err != nil {
		return "", err
	}
	if resp.StatusCode != http.StatusSeeOther {
		return "", refused(resp)
	}
	_ = resp.Body.Close()
	back, err := resp.Location()
	if err != nil {
		return "", err
	}
	code := back.Query().Get("code")
	if code == "" {
		return "", &refusal{"POST /auth/authorize", resp.StatusCode, back.String()}
	}
	return code, nil
}

// discard has the password of a user reset until it is told to stop. Each reset ends the sessions of before.
func (l *life) forget(ctx context.Context, random *rand.Rand) error {
	last := deadToken{}
	for n := 1; l.pause(ctx, random, 1500*time.Millisecond); n++ {
		name, begin := fmt.Sprint("reset ", n), l.rec.Now()
		var reset struct{ Code string }
		if err := l.insist(ctx, func() error {
			return l.caller(boss, "").call(ctx, "POST", "/auth/users/"+forgetful+"/reset", "", "", &reset)
		}); err != nil {
			return unlessGone(ctx, err)
		}
		code := "the code of " + name
		l.issue(code, begin, true)
		if err := l.spend(ctx, code, reset.Code, password(n), last.secret); err != nil {
			return unlessGone(ctx, err)
		}
		if err := l.spend(ctx, code, reset.Code, "never to be set", ""); err != nil {
			return unlessGone(ctx, err)
		}
		if last.secret != "" {
			if err := l.remember(ctx, last.secret, last.token); err != nil {
				return unlessGone(ctx, err)
			}
		}
		var got issued
		form := "grant_type=password&username=" + forgetful + "&password=" + strings.ReplaceAll(password(n), " ", "+")
		begin = l.rec.Now()
		if err := l.insist(ctx, func() error { return l.caller(boss, "").call(ctx, "POST", "/auth/token", "", form, &got) }); err != nil {
			return unlessGone(ctx, err)
		}
		last = deadToken{"the token after " + name, got.Access}
		l.issue(last.secret, begin, false)
		if err := l.tryToken(ctx, last.secret, last.token); err != nil {
			return unlessGone(ctx, err)
		}
	}
	return nil
}

// spend sets a new password with a code, which ends a session if there is one. Where an answer was lost the code may be spent by then,
// which is then all the same.
func (l *life) spend(ctx context.Context, code, value, to, session string) error {
	body := fmt.Sprintf(`{"code":"%s","newPassword":"%s"}`, value, to)
	e := &history.End{Span: history.Span{Begin: l.rec.Now()}, Outcome: history.Unknown, Secrets: []string{session}}
	if session != "" {
		l.rec.Add(e)
	}
	err := l.try(ctx, code, func() error { return newCaller(l.gate, "", "", "").call(ctx, "POST", "/auth/reset", "", body, nil) })
	if err == nil {
		e.End, e.Outcome = l.rec.Now(), history.Acknowledged
	}
	return err
}

// clerk registers clients, gets tokens with them and removes them, next to the server, until it is told to stop.
func (l *life) clerk(ctx context.Context, random *rand.Rand) error {
	for n := 0; l.pause(ctx, random, time.Second); n++ {
		if err := l.serveClient(ctx, fmt.Sprint("temp-", n)); err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

func (l *life) serveClient(ctx context.Context, id string) error {
	begin := l.rec.Now()
	added, err := l.victim.command(ctx, "client", "create", id, "--secret", "--scope", "mint")
	if err != nil {
		return err
	}
	var client struct{ ClientSecret string }
	if err := json.Unmarshal([]byte(added), &client); err != nil {
		return err
	}
	secret, own, minted := "the secret of "+id, "the token of "+id, "the token that "+id+" got"
	l.issue(secret, begin, false)
	form := "client_id=" + id + "&client_secret=" + client.ClientSecret + "&grant_type=client_credentials"
	var got, user issued
	begin = l.rec.Now()
	ask := func(form string, answer *issued) func() error {
		return func() error { return newCaller(l.gate, "", "", "").call(ctx, "POST", "/auth/token", "", form, answer) }
	}
	if err := l.try(ctx, secret, ask(form, &got)); err != nil {
		return err
	}
	l.issue(own, begin, false)
	begin = l.rec.Now()
	if err := l.insist(ctx, ask(exchangeForm(id, client.ClientSecret, got.Access, member), &user)); err != nil {
		return err
	}
	l.issue(minted, begin, false)
	if err := l.tryToken(ctx, minted, user.Access); err != nil {
		return err
	}
	if err := l.end(ctx, func() error { _, err := l.victim.command(ctx, "client", "delete", id); return err }, secret, own, minted); err != nil {
		return err
	}
	// A server that runs, or is about to, hears of it within a second; the one after that knows it.
	for n := 0; n < 2 && !l.victim.hears(); n++ {
		select {
		case <-l.gate.restart():
		case <-l.stop:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
	return errors.Join(l.try(ctx, secret, ask(form, nil)), l.remember(ctx, minted, user.Access))
}
