package messaging_test

import (
	"encoding/json"
	"strings"
	"testing"

	"edict/e2e"
)

// TestStreams publishes to streams of the real server, opened with a token and with a ticket, resumes one, and revokes the token
// under the others.
func TestStreams(t *testing.T) {
	t.Parallel()
	server := e2e.Start(t, e2e.Options{})
	token := e2e.Tokens(server.Data)(t, "alice")
	base := server.URL + "/message/api/v2"
	e2e.Call(t, "POST", base+"/channels", token, "application/json", `{"channelName":"news"}`)
	var ticket struct{ Ticket string }
	if err := json.Unmarshal(e2e.Call(t, "POST", server.URL+"/auth/ticket", token, "application/json", ""), &ticket); err != nil {
		t.Fatal(err)
	}
	first, second := e2e.OpenStream(t, base+"/events", token), e2e.OpenStream(t, base+"/events?ticket="+ticket.Ticket, "")
	first.Until("event: ready")
	second.Until("event: ready")
	e2e.Call(t, "POST", base+"/channels/news/items", token, "application/json", `{"content":{"n":1}}`)
	cursor := first.Until("id: ")
	for first.Until("data: ") == "{}" {
	}
	second.Until("event: item")
	first.Body.Close()
	e2e.Call(t, "POST", base+"/channels/news/items", token, "application/json", `{"content":{"n":2}}`)
	again := e2e.OpenStream(t, base+"/events?cursor="+cursor, token)
	for _, want := range []string{`"n":1`, `"n":2`} {
		if data := again.Until("data: {\"channelName\""); !strings.Contains(data, want) {
			t.Errorf("resumed: %s, want %s", data, want)
		}
	}
	e2e.Call(t, "POST", server.URL+"/auth/revoke", token, "application/x-www-form-urlencoded", "token="+token)
	again.Until(": 4001")
	second.Until(": 4001")
}

// TestStreamsEndWithServer: a server with open streams stops at once, and says goodbye.
func TestStreamsEndWithServer(t *testing.T) {
	t.Parallel()
	server := e2e.Start(t, e2e.Options{})
	s := e2e.OpenStream(t, server.URL+"/message/api/v2/events", e2e.Tokens(server.Data)(t, "alice"))
	s.Until("event: ready")
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	s.Until(": 1001")
}
