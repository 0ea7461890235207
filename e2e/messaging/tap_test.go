package messaging_test

import (
	"net/http"
	"strings"
	"testing"

	"edict/e2e"
)

// TestAdminEvents: an operator hears a channel that is somebody else's, over a stream that carries nothing else, resumes, makes nobody present, and
// leaves lines in the audit trail.
func TestAdminEvents(t *testing.T) {
	t.Parallel()
	server := e2e.Start(t, e2e.Options{})
	tokens := e2e.Tokens(server.Data)
	alice, bob, admin := tokens(t, "alice"), tokens(t, "bob"), tokens(t, "admin")
	base := server.URL + "/message/api/v2"
	publish := func(n string) {
		t.Helper()
		e2e.Call(t, "POST", base+"/channels/alice%23club/items", alice, "application/json", `{"content":{"n":"`+n+`"}}`)
	}
	e2e.Call(t, "POST", base+"/channels", alice, "application/json", `{"channelName":"club","privateChannel":true,"inviteOnly":true}`)
	e2e.Call(t, "POST", base+"/channels", alice, "application/json", `{"channelName":"other"}`)
	e2e.Call(t, "PUT", base+"/channels/other/subscribe", admin, "application/json", `{}`)
	publish("before")
	tap := e2e.OpenStream(t, base+"/admin/events?channel=alice%23club", admin)
	tap.Until("event: ready")

	// What is for the admin as a user does not come over the tap, and moves no state of a delivery.
	e2e.Call(t, "POST", base+"/channels/other/items", alice, "application/json", `{"content":{"n":"other"}}`)
	sent := string(e2e.Call(t, "POST", base+"/messages/send_to_user_ids", bob, "application/json", `{"recipientUserIds":["admin"],"content":{"n":"message"}}`))
	publish("one")
	tap.Until("id: ") // of ready
	event, cursor := tap.Until("event: "), tap.Until("id: ")
	if event != "item" {
		t.Fatalf("%s after ready (%s)", event, cursor)
	}
	if data := tap.Until("data: "); !strings.Contains(data, `"channelName":"alice#club"`) || !strings.Contains(data, `{"n":"one"}`) {
		t.Errorf("tapped: %s", data)
	}
	_, id, _ := strings.Cut(sent, `"messageId":"`)
	id, _, _ = strings.Cut(id, `"`)
	if status := string(e2e.Call(t, "GET", base+"/messages/"+id, bob, "application/json", "")); !strings.Contains(status, `"PENDING"`) {
		t.Errorf("a tap is no connection of its user: %s", status)
	}
	if present := string(e2e.Call(t, "GET", base+"/channels/alice%23club/presence", alice, "application/json", "")); !strings.Contains(present, `"count":0`) {
		t.Errorf("a tap makes nobody present: %s", present)
	}

	publish("two")
	again := e2e.OpenStream(t, base+"/admin/events?channel=alice%23club&cursor="+cursor, admin)
	if data := again.Until("data: "); !strings.Contains(data, `{"n":"two"}`) {
		t.Errorf("resumed: %s", data)
	}
	if trail := string(e2e.Call(t, "GET", server.URL+"/auth/audit?user=alice", admin, "application/json", "")); strings.Count(trail, `"act":"messaging.tapChannel","by":"admin","via":"http","userId":"alice","address":"127.0.0.1","detail":"alice#club"`) != 2 {
		t.Errorf("the audit trail: %s", trail)
	}

	// A channel that is deleted ends its tap, which says so first.
	e2e.Call(t, "POST", base+"/channels", alice, "application/json", `{"channelName":"brief"}`)
	brief := e2e.OpenStream(t, base+"/admin/events?channel=brief", admin)
	brief.Until("event: ready")
	e2e.Call(t, "DELETE", base+"/channels/brief", alice, "application/json", "")
	brief.Until("event: channel")
	if data := brief.Until("data: "); !strings.Contains(data, `{"channelName":"brief","change":"deleted"}`) {
		t.Errorf("the end of a channel: %s", data)
	}
	brief.Until(": 4004")

	// Access that ends ends the tap.
	e2e.Call(t, "POST", server.URL+"/auth/revoke", admin, "application/x-www-form-urlencoded", "token="+admin)
	tap.Until(": 4001")
	again.Until(": 4001")
}

// TestRateLimitHeaders: answers say what is left, those of sign-in as well.
func TestRateLimitHeaders(t *testing.T) {
	t.Parallel()
	server := e2e.Start(t, e2e.Options{})
	token := e2e.Tokens(server.Data)(t, "alice")
	for path, want := range map[string]string{
		"/message/api/v2/devices": `"default";q=1000;w=1`,
		"/auth/userinfo":          `"default";q=500;w=5`,
	} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if policy, left := resp.Header.Get("RateLimit-Policy"), resp.Header.Get("RateLimit"); policy != want || !strings.HasPrefix(left, `"default";r=`) {
			t.Errorf("%s: RateLimit-Policy: %s, RateLimit: %s", path, policy, left)
		}
	}
}
