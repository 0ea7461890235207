package messaging_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	edictclient "edict/client"
	"edict/e2e"
)

// TestRevocationReachesStreams takes access away from open streams of the whole server, in every way there is, beside it with the
// command line as well. messaging/realtime has the same with a clock of its own, where it takes no time.
func TestRevocationReachesStreams(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		do   func(w *revocation)
		want string // how a line of the stream begins
	}{
		"token revoked": {func(w *revocation) {
			e2e.Call(w.t, "POST", w.server.URL+"/auth/revoke", w.bob, "application/x-www-form-urlencoded", "token="+w.bob)
		}, ": 4001"},
		"token expired":       {func(*revocation) {}, ": 4002"},
		"user removed":        {func(w *revocation) { e2e.Call(w.t, "DELETE", w.server.URL+"/auth/users/bob", w.admin, "", "") }, ": 400"},
		"user removed beside": {func(w *revocation) { e2e.Run(w.t, "", "user", "delete", "bob", "--data", w.server.Data) }, ": 400"},
		"user disabled": {func(w *revocation) {
			e2e.Call(w.t, "PATCH", w.server.URL+"/auth/users/bob", w.admin, "application/json", `{"disabled":true}`)
		}, ": 400"},
		"password set": {func(w *revocation) {
			e2e.Call(w.t, "PUT", w.server.URL+"/auth/users/bob/password", w.admin, "application/json", `{"newPassword":"another secret"}`)
		}, ": 4001"},
		"password set beside": {func(w *revocation) {
			e2e.Run(w.t, "another secret\n", "user", "passwd", "bob", "--password-stdin", "--data", w.server.Data)
		}, ": 4001"},
		"sessions ended":  {func(w *revocation) { e2e.Call(w.t, "DELETE", w.server.URL+"/auth/sessions?user=bob", w.admin, "", "") }, ": 4001"},
		"unsubscribed":    {func(w *revocation) { w.as(w.bob).Must("PUT", "/channels/alice%23club/unsubscribe", "") }, `data: {"channelName":"alice#club","change":"unsubscribed"}`},
		"invitation gone": {func(w *revocation) { w.as(w.alice).Must("DELETE", "/channels/alice%23club/invite/bob", "") }, `data: {"channelName":"alice#club","change":"uninvited"}`},
		"channel deleted": {func(w *revocation) { w.as(w.alice).Must("DELETE", "/channels/club?personal=true", "") }, `data: {"channelName":"alice#club","change":"deleted"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newRevocation(t, name == "token expired")
			stream := e2e.OpenStream(t, w.server.URL+e2e.MessageAPI+"/events", w.bob)
			stream.Until("event: ready")
			before := time.Now()
			test.do(w)
			stream.Until(test.want)
			t.Logf("after %v", time.Since(before).Round(time.Millisecond))
			if !strings.HasPrefix(test.want, "data: ") {
				return
			}
			// What is published from now on does not come; what comes next is of another channel.
			if name != "channel deleted" {
				w.as(w.alice).Must("POST", "/channels/alice%23club/items", `{"content":{"n":1}}`)
			}
			w.as(w.alice).Must("POST", "/channels/open/items", `{"content":{"n":2}}`)
			if data := stream.Until(`data: {"channelName"`); !strings.HasPrefix(data, `:"open"`) {
				t.Errorf("then came %s", data)
			}
		})
	}
}

// revocation is a server with a private channel that bob is invited to, and a public one.
type revocation struct {
	t                 *testing.T
	server            *e2e.Server
	alice, bob, admin string // tokens
}

func newRevocation(t *testing.T, short bool) *revocation {
	w := &revocation{t: t, server: e2e.Start(t, e2e.Options{})}
	tokens := e2e.Tokens(w.server.Data)
	w.alice, w.bob, w.admin = tokens(t, "alice"), tokens(t, "bob"), tokens(t, "admin")
	alice := w.as(w.alice)
	alice.Must("POST", "/channels", `{"channelName":"club","privateChannel":true,"inviteOnly":true}`)
	alice.Must("POST", "/channels", `{"channelName":"open"}`)
	alice.Must("POST", "/channels/alice%23club/invite", `{"userIds":["bob"]}`)
	bob := w.as(w.bob)
	bob.Must("PUT", "/channels/alice%23club/subscribe", "")
	bob.Must("PUT", "/channels/open/subscribe", "")
	if short {
		w.bob = strings.TrimSpace(e2e.Run(t, "", "token", "create", "--user", "bob", "--ttl", "4s", "--data", w.server.Data))
	}
	return w
}

func (w *revocation) as(token string) *e2e.Client { return e2e.NewClient(w.t, w.server.URL, token) }

// TestRemovedDevice: a device that its user removed loses its stream, and its token does not bring it back. Who registers it
// again can.
func TestRemovedDevice(t *testing.T) {
	t.Parallel()
	w := newRevocation(t, false)
	phone := strings.TrimSpace(e2e.Run(t, "", "token", "create", "--user", "bob", "--device", "phone", "--data", w.server.Data))
	stream := e2e.OpenStream(t, w.server.URL+e2e.MessageAPI+"/events", phone) // its first use registers it
	stream.Until("event: ready")
	w.as(w.bob).Must("DELETE", "/devices/phone", "")
	stream.Until(": 4003")
	for _, path := range []string{"/events", "/devices", "/events"} {
		status, body, err := w.as(phone).Call("GET", path, "")
		switch body = strings.TrimSpace(body); {
		case err != nil:
			t.Errorf("GET %s: %v", path, err)
		case path == "/devices" && (status != 200 || body != "[]"):
			t.Errorf("GET %s: %d %s, want no devices", path, status, body)
		case path == "/events" && (status != 404 || !strings.Contains(body, `"code":74`)):
			t.Errorf("GET %s: %d %s, want 404 with code 74", path, status, body)
		}
	}
	w.as(phone).Must("POST", "/devices", `{"deviceId":"phone"}`)
	e2e.OpenStream(t, w.server.URL+e2e.MessageAPI+"/events", phone).Until("event: ready")
}

// TestConcurrentFirstUse: the first requests of a token come at the same time, as those of a page do, and all find the device.
func TestConcurrentFirstUse(t *testing.T) {
	t.Parallel()
	w := newRevocation(t, false)
	phone := strings.TrimSpace(e2e.Run(t, "", "token", "create", "--user", "bob", "--device", "phone", "--data", w.server.Data))
	const requests = 16
	statuses := make(chan int, requests)
	for range requests {
		go func() {
			r, err := http.NewRequest("GET", w.server.URL+e2e.MessageAPI+"/events", nil)
			if err != nil {
				statuses <- 0
				return
			}
			r.Header.Set("Authorization", "Bearer "+phone)
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				statuses <- 0
				return
			}
			resp.Body.Close()
			statuses <- resp.StatusCode
		}()
	}
	for range requests {
		if status := <-statuses; status != http.StatusOK {
			t.Errorf("a stream is answered with %d", status)
		}
	}
}

// TestClientRemovalReachesStreams: the streams of tokens that a client got end when it is removed, beside the server, and no others.
func TestClientRemovalReachesStreams(t *testing.T) {
	t.Parallel()
	server := e2e.Start(t, e2e.Options{})
	own := e2e.Tokens(server.Data)(t, "ann")
	backend := &edictclient.Backend{URL: server.URL, ID: "backend", Secret: e2e.AddClient(t, server.Data, "backend", "--secret", "--scope", "mint")}
	minted, err := backend.UserToken(t.Context(), "ann", "")
	if err != nil {
		t.Fatal(err)
	}
	stream, other := e2e.OpenStream(t, server.URL+e2e.MessageAPI+"/events", minted.Access), e2e.OpenStream(t, server.URL+e2e.MessageAPI+"/events", own)
	stream.Until("event: ready")
	other.Until("event: ready")
	e2e.Run(t, "", "client", "delete", "backend", "--data", server.Data)
	stream.Until(": 4001")
	e2e.Call(t, "POST", server.URL+e2e.MessageAPI+"/messages/send_to_user_ids", own, "application/json", `{"recipientUserIds":["ann"],"content":{"a":1}}`)
	other.Until("event: message")
}

// TestPublishUnderWayWhenItsAuthorIsRemoved: the server has let a publish in and waits for its body when its author is removed.
// Nothing of it is kept, so that whoever gets the user id later is not its author.
func TestPublishUnderWayWhenItsAuthorIsRemoved(t *testing.T) {
	t.Parallel()
	w := newRevocation(t, false)
	conn, err := net.Dial("tcp", strings.TrimPrefix(w.server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const body = `{"content":{"n":1}}`
	fmt.Fprintf(conn, "POST %s/channels/open/items HTTP/1.1\r\nHost: edict\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"+
		"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n", e2e.MessageAPI, w.bob, len(body))
	answers := bufio.NewReader(conn)
	if line, err := answers.ReadString('\n'); err != nil || !strings.HasPrefix(line, "HTTP/1.1 100 ") {
		t.Fatalf("the head is answered with %q, %v", line, err)
	}
	if line, err := answers.ReadString('\n'); err != nil || line != "\r\n" {
		t.Fatalf("then comes %q, %v", line, err)
	}
	e2e.Call(t, "DELETE", w.server.URL+"/auth/users/bob?content=true", w.admin, "", "")
	if _, err := io.WriteString(conn, body); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(answers, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if said, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusNotFound || !strings.Contains(string(said), `\"bob\" was removed meanwhile`) {
		t.Errorf("the publish is answered with %s %s %v", answer.Status, said, err)
	}
	e2e.Call(t, "POST", w.server.URL+"/auth/users", w.admin, "application/json", `{"username":"bob","password":"another secret"}`)
	if items := w.as(w.alice).Must("GET", "/channels/open/items/fetch", ""); !strings.Contains(items, `"totalCount":0`) {
		t.Errorf("the channel has %s", items)
	}
}
