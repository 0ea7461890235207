package auth

import (
	"strings"
	"testing"
	"time"

	"edict/platform/fault"
)

// TestSignInAt: a token that an issuer gave to the console begins a session, with the rights that the token has, which ends half a day later
// however often it is used.
func TestSignInAt(t *testing.T) {
	p := newIDP(t, "k1")
	with := external(p)
	with.Client, with.AdminScope = "desk", "boss"
	w := newWorld(t, Options{External: []Issuer{with}})
	ctx := t.Context()
	got, err := w.SignInAt(ctx, p.token("k1", w.externalClaims(p, "azp", "desk", "scope", "openid boss")), "192.0.2.1")
	if err != nil || got.Scope != "messaging admin" || got.Refresh == "" {
		t.Fatalf("%+v %v", got, err)
	}
	caller, err := w.Authenticate(ctx, got.Access)
	if err != nil || !caller.Admin || caller.UserID != got.UserID {
		t.Fatalf("%+v %v", caller, err)
	}
	plain, err := w.SignInAt(ctx, p.token("k1", w.externalClaims(p, "client_id", "desk", "sub", "another")), "192.0.2.1")
	if err != nil || plain.Scope != "messaging" || plain.UserID == got.UserID {
		t.Fatalf("%+v %v", plain, err)
	}
	for range 11 {
		w.clock.add(time.Hour)
		if got, err = w.Refresh(ctx, Refresh{Token: got.Refresh, Address: "192.0.2.1"}); err != nil || got.Scope != "messaging admin" {
			t.Fatalf("%+v %v", got, err)
		}
	}
	w.clock.add(time.Hour)
	if got, err = w.Refresh(ctx, Refresh{Token: got.Refresh, Address: "192.0.2.1"}); fault.KindOf(err) != fault.Unauthenticated {
		t.Errorf("after half a day: %+v %v", got, err)
	}
}

func TestSignInAtRefuses(t *testing.T) {
	p, other := newIDP(t, "k1"), newIDP(t, "k1")
	with := external(p)
	with.Client = "desk"
	w := newWorld(t, Options{External: []Issuer{with, external(other)}})
	own, err := w.IssueToken(Grant{User: User{ID: "ann"}})
	if err != nil {
		t.Fatal(err)
	}
	for complaint, token := range map[string]string{
		"not of an issuer that the console":  other.token("k1", w.externalClaims(other)),
		"not of an issuer that  the console": own,
		"given to another client":            p.token("k1", w.externalClaims(p, "azp", "phone")),
		"given to  another client":           p.token("k1", w.externalClaims(p, "client_id", "phone")),
		"its audience is not":                p.token("k1", w.externalClaims(p, "aud", "phone")),
		"malformed":                          "a.b.c",
	} {
		if got, err := w.SignInAt(t.Context(), token, "192.0.2.1"); fault.KindOf(err) != fault.Unauthenticated || !strings.Contains(err.Error(), strings.ReplaceAll(complaint, "  ", " ")) {
			t.Errorf("%s: %+v %v", complaint, got, err)
		}
	}
}
