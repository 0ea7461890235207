package clients_test

import (
	"archive/zip"
	"bytes"
	"net/url"
	"strings"
	"testing"

	edictclient "edict/client"
	"edict/e2e"
	"edict/platform/fault"
)

// TestClientOfPeople looks after a user with the Go client, from the first password to the erasure.
func TestClientOfPeople(t *testing.T) { currentAndNewer(t, clientOfPeople) }

func clientOfPeople(t *testing.T, through func(url string) string) {
	server := e2e.Start(t, e2e.Options{})
	at := through(server.URL)
	tokens := e2e.Tokens(server.Data)
	ctx := t.Context()
	admin := &edictclient.Client{URL: at, Token: tokens(t, "admin")}
	ann := &edictclient.Client{URL: at, Token: tokens(t, "ann@laptop")}
	check := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	name, picture := "Ann", "https://pictures.example/ann.png"
	profile, err := ann.UpdateUser(ctx, "ann", edictclient.Change{DisplayName: &name, AvatarURL: &picture})
	check("profile", err)
	if profile.DisplayName != name || profile.AvatarURL != picture || profile.Username != "ann" {
		t.Errorf("%+v", profile)
	}
	if found, err := admin.LookupUsers(ctx, []string{"nobody", "ann"}); err != nil || len(found) != 1 || found[0].DisplayName != name {
		t.Errorf("lookup: %+v %v", found, err)
	}
	if err := ann.ChangePassword(ctx, "ann", "none", "a first secret"); fault.KindOf(err) != fault.Forbidden || !strings.Contains(err.Error(), "oldPassword is wrong") {
		t.Errorf("a wrong old password: %v", err)
	}
	if _, err := ann.Subscribe(ctx, "nowhere"); fault.KindOf(err) != fault.NotFound { // the first use registers the device
		t.Error(err)
	}
	users, next, err := admin.Users(ctx, "ANN", "", 10)
	if err != nil || next != "" || len(users) != 1 || users[0].UserID != "ann" || len(users[0].Devices) != 1 || users[0].LastSeenAt == nil {
		t.Errorf("list: %+v %q %v", users, next, err)
	}
	if _, next, err := admin.Users(ctx, "", "", 1); err != nil || next == "" {
		t.Errorf("the first page: %q %v", next, err)
	}
	check("device", admin.RemoveUserDevice(ctx, "ann", "laptop"))

	sessions, err := admin.Sessions(ctx, "ann")
	if err != nil || len(sessions) != 1 || sessions[0].Kind != "token" || sessions[0].Current {
		t.Fatalf("sessions: %+v %v", sessions, err)
	}
	if own, err := ann.Sessions(ctx, ""); err != nil || len(own) != 1 || !own[0].Current {
		t.Errorf("own sessions: %+v %v", own, err)
	}
	var archive bytes.Buffer
	check("export", ann.Export(ctx, "ann", &archive))
	if z, err := zip.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len())); err != nil || len(z.File) != 11 {
		t.Errorf("export: %v, %d bytes", err, archive.Len())
	}
	if err := ann.Export(ctx, "admin", &archive); fault.KindOf(err) != fault.Forbidden {
		t.Errorf("export of another: %v", err)
	}
	check("end", admin.EndSession(ctx, sessions[0].SessionID))
	if _, err := ann.Sessions(ctx, ""); fault.KindOf(err) != fault.Unauthenticated {
		t.Errorf("after its end: %v", err)
	}
	code, expires, err := admin.ResetCode(ctx, "ann")
	if err != nil || expires.IsZero() {
		t.Fatal(err)
	}
	check("reset", (&edictclient.Client{URL: at}).ResetPassword(ctx, code, "a second secret"))
	check("password", admin.ChangePassword(ctx, "ann", "", "a third secret"))
	disabled := true
	if p, err := admin.UpdateUser(ctx, "ann", edictclient.Change{Disabled: &disabled}); err != nil || !p.Disabled {
		t.Errorf("disabled: %+v %v", p, err)
	}
	check("sessions", admin.EndSessions(ctx, "ann"))
	check("removal", admin.RemoveUser(ctx, "ann", true))
	entries, next, err := admin.Audit(ctx, "ann", "", 3)
	if err != nil || len(entries) != 3 || next == "" || entries[0].Act != "user.removed" || entries[0].By != "admin" || entries[0].Detail != "with content" {
		t.Errorf("audit: %+v %q %v", entries, next, err)
	}
}

// TestClientSignsIn signs users in with the Go client: as a backend, and at the login page.
func TestClientSignsIn(t *testing.T) {
	server := e2e.Start(t, e2e.Options{})
	tokens := e2e.Tokens(server.Data)
	ctx := t.Context()
	tokens(t, "admin")
	e2e.Run(t, "secret of ann", "user", "create", "ann", "--id", "ann", "--password-stdin", "--data", server.Data)
	backend := &edictclient.Backend{URL: server.URL, ID: "backend", Secret: e2e.AddClient(t, server.Data, "backend", "--secret", "--scope", "mint", "--scope", "reset")}
	minted, err := backend.UserToken(ctx, "ann", "phone")
	if err != nil || minted.UserID != "ann" || minted.Scope != "messaging" || minted.Refresh != "" {
		t.Fatalf("%+v %v", minted, err)
	}
	own, err := backend.Token(ctx)
	if again, err2 := backend.Token(ctx); err != nil || err2 != nil || own != again {
		t.Errorf("the token of its own is not kept: %v %v", err, err2)
	}
	ann := &edictclient.Client{URL: server.URL, Token: minted.Access}
	if all, err := ann.Sessions(ctx, ""); err != nil || len(all) != 1 || all[0].Kind != "client" || *all[0].ClientID != "backend" {
		t.Errorf("%+v %v", all, err)
	}
	if _, err := backend.UserToken(ctx, "admin", ""); fault.KindOf(err) != fault.Forbidden {
		t.Errorf("an admin: %v", err)
	}
	if code, _, err := backend.ResetCode(ctx, "ann"); err != nil || code == "" {
		t.Errorf("%q %v", code, err)
	}
	if _, err := (&edictclient.Backend{URL: server.URL, ID: "backend", Secret: "wrong"}).UserToken(ctx, "ann", ""); fault.KindOf(err) != fault.Unauthenticated {
		t.Errorf("a wrong secret: %v", err)
	}

	e2e.AddClient(t, server.Data, "tool", "--redirect", "http://127.0.0.1/back")
	signIn := &edictclient.SignIn{URL: server.URL, ClientID: "tool", Redirect: "http://127.0.0.1:49152/back", DeviceID: "laptop"}
	back := e2e.SignInAt(t, signIn.Begin(), "ann", "secret of ann")
	signedIn, err := signIn.Finish(ctx, back)
	if err != nil || signedIn.UserID != "ann" || signedIn.Refresh == "" {
		t.Fatalf("%+v %v", signedIn, err)
	}
	next, err := signIn.Refresh(ctx, signedIn.Refresh)
	if err != nil || next.Refresh == signedIn.Refresh {
		t.Errorf("%+v %v", next, err)
	}
	if _, err := signIn.Finish(ctx, url.Values{"state": {"x"}, "code": back["code"]}); fault.KindOf(err) != fault.Invalid {
		t.Errorf("another state: %v", err)
	}
	other := *signIn
	other.Issuer = "https://other.example"
	if _, err := other.Finish(ctx, back); fault.KindOf(err) != fault.Invalid {
		t.Errorf("another issuer: %v", err)
	}
	if _, err := signIn.Finish(ctx, url.Values{"state": back["state"], "error": {"access_denied"}}); fault.KindOf(err) != fault.Forbidden {
		t.Errorf("somebody who does not want to: %v", err)
	}
}
