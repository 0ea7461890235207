package e2e

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	edictclient "edict/client"
	"edict/platform/fault"
)

// TestClientOfPeople looks after a user with the Go client, from the first password to the erasure.
func TestClientOfPeople(t *testing.T) {
	server := Start(t, Options{})
	tokens := Tokens(server.Data)
	ctx := t.Context()
	admin := &edictclient.Client{URL: server.URL, Token: tokens(t, "admin")}
	ann := &edictclient.Client{URL: server.URL, Token: tokens(t, "ann@laptop")}
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
	if z, err := zip.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len())); err != nil || len(z.File) != 9 {
		t.Errorf("export: %v", err)
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
	check("reset", (&edictclient.Client{URL: server.URL}).ResetPassword(ctx, code, "a second secret"))
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
