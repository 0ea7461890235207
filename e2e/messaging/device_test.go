package messaging_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"edict/cli"
	"edict/e2e"
)

// TestRemovedDeviceStaysRemoved: a device that its user removed does not come back with its old token, whatever restarts; it comes
// back when it is registered, or signs in again.
func TestRemovedDeviceStaysRemoved(t *testing.T) {
	t.Parallel()
	var minutes atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(minutes.Load()) * time.Minute) }
	server := e2e.Start(t, e2e.Options{Now: now})
	e2e.Call(t, "POST", server.URL+"/auth/users", e2e.Tokens(server.Data)(t, "admin"), "application/json", `{"username":"bob","userId":"bob","password":"correct horse"}`)
	signIn := func(device string) string {
		var answer struct {
			Token string `json:"access_token"`
		}
		text := e2e.Call(t, "POST", server.URL+"/auth/token", "", "application/x-www-form-urlencoded", "grant_type=password&username=bob&password=correct+horse"+device)
		if err := json.Unmarshal(text, &answer); err != nil {
			t.Fatal(err)
		}
		return answer.Token
	}
	as := func(token string) *e2e.Client { return e2e.NewClient(t, server.URL, token) }
	expect := func(when, token string, there bool) {
		t.Helper()
		if list := as(token).Must("GET", "/devices", ""); strings.Contains(list, `"phone"`) != there {
			t.Errorf("%s: %s", when, list)
		}
	}
	phone, whole := signIn("&device_id=phone"), signIn("")
	expect("first use", phone, true)
	newTicket := func() (ticket struct{ Ticket string }) {
		if err := json.Unmarshal(e2e.Call(t, "POST", server.URL+"/auth/ticket", phone, "application/json", ""), &ticket); err != nil {
			t.Fatal(err)
		}
		return ticket
	}
	before := newTicket()
	minutes.Store(1)
	as(whole).Must("DELETE", "/devices/phone", "")
	expect("removed", phone, false)

	restart := func() {
		t.Helper()
		if err := server.Stop(); err != nil {
			t.Fatal(err)
		}
		data := server.Data
		server = e2e.Start(t, e2e.Options{Now: now, Configure: func(c *cli.Config) { c.Server.Data = data }})
	}
	minutes.Store(2)
	restart()
	expect("after a restart", phone, false)
	for _, ticket := range []struct{ Ticket string }{before, newTicket()} {
		restart()
		response, err := http.Get(server.URL + e2e.MessageAPI + "/events?ticket=" + ticket.Ticket)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusNotFound {
			t.Errorf("a stream of the removed device: %d", response.StatusCode)
		}
		expect("after a ticket", whole, false)
	}
	as(phone).Must("POST", "/devices", `{"deviceId":"phone"}`)
	restart()
	expect("registered", phone, true)

	minutes.Store(3)
	as(whole).Must("DELETE", "/devices/phone", "")
	minutes.Store(4)
	expect("signed in again", signIn("&device_id=phone"), true)
	restart()
	expect("signed in again, after a restart", phone, true)
}
