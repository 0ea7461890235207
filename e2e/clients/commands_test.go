package clients_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"edict/cli"
	"edict/e2e"
)

// TestClientCommands publishes, follows and sends with the commands, as a script would.
func TestClientCommands(t *testing.T) {
	server := e2e.Start(t, e2e.Options{})
	tokens := e2e.Tokens(server.Data)
	alice, bob := []string{"--url", server.URL, "--token", tokens(t, "alice")}, []string{"--url", server.URL, "--token", tokens(t, "bob")}
	e2e.Call(t, "POST", server.URL+"/message/api/v2/channels", tokens(t, "alice"), "application/json", `{"channelName":"club","privateChannel":true}`)

	shown, print := io.Pipe()
	follower := make(chan int, 1)
	go func() {
		env := &cli.Env{Stdin: new(bytes.Reader), Stdout: print, Stderr: t.Output(), Now: time.Now}
		follower <- cli.Run(t.Context(), append([]string{"subscribe", "alice#club", "-n", "2", "--json"}, bob...), env)
		print.Close()
	}()
	lines := make(chan string)
	go func() {
		all, _ := io.ReadAll(shown)
		lines <- string(all)
	}()
	awaitPresence(t, server.URL, tokens(t, "alice"))
	for _, args := range [][]string{{"text=a,b = c", "n:=1.50"}, {"text=\x1b[31m"}} {
		status, id, stderr := e2e.Command(t, append(append([]string{"publish", "club"}, args...), alice...)...)
		if status != 0 || len(strings.TrimSpace(id)) != 24 {
			t.Fatalf("publish: %d %q %s", status, id, stderr)
		}
	}
	if status := <-follower; status != 0 {
		t.Errorf("subscribe: status %d", status)
	}
	all := <-lines
	for _, want := range []string{`"content":{"text":"a,b = c","n":1.50}`, `"text":"\u001b[31m"`, `"event":"item"`} {
		if !strings.Contains(all, want) {
			t.Errorf("subscribe printed %s, want %s in it", all, want)
		}
	}

	status, id, stderr := e2e.Command(t, append([]string{"send", "bob", "nobody", "text=hi", "--receipt"}, alice...)...)
	if status != 1 || len(strings.TrimSpace(id)) != 24 || !strings.Contains(stderr, "nobody") {
		t.Errorf("send to one who exists and one who does not: %d %q %s", status, id, stderr)
	}
	status, line, stderr := e2e.Command(t, append([]string{"subscribe", "-n", "1"}, bob...)...)
	if status != 0 || !strings.Contains(line, `message alice {"text":"hi"}`) {
		t.Errorf("what waited: %d %q %s", status, line, stderr)
	}

	for _, c := range []struct {
		status int
		says   string
		args   []string
	}{
		{2, "EDICT_TOKEN", []string{"publish", "club", "a=1", "--url", server.URL}},
		{2, "KEY=VALUE", append([]string{"publish", "club", "a"}, alice...)},
		{2, "not JSON", append([]string{"publish", "club", "a:=x"}, alice...)},
		{2, "twice", append([]string{"publish", "club", "a=1", "a=2"}, alice...)},
		{2, "at least one user", append([]string{"send", "a=1"}, alice...)},
		{1, "Channel does not exist", append([]string{"publish", "nowhere", "a=1"}, alice...)},
		{1, "cannot be reached", []string{"publish", "club", "a=1", "--token", "x", "--url", "http://127.0.0.1:1"}},
		{1, "token", []string{"subscribe", "--token", "x", "--url", server.URL}},
		{1, "malformed", append([]string{"subscribe", "--since", "x"}, alice...)},
	} {
		if status, _, stderr := e2e.Command(t, c.args...); status != c.status || !strings.Contains(stderr, c.says) {
			t.Errorf("%s: %d %s, want %d %s", c.args[:2], status, stderr, c.status, c.says)
		}
	}
}

// awaitPresence waits until somebody follows the channel.
func awaitPresence(t *testing.T, url, token string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		if strings.Contains(string(e2e.Call(t, "GET", url+"/message/api/v2/channels/alice%23club/presence", token, "application/json", "")), `"bob"`) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("nobody follows the channel")
		}
		time.Sleep(10 * time.Millisecond) // presence has no event to wait for
	}
}
