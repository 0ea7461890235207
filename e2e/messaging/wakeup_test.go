package messaging_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"edict/cli"
	"edict/e2e"
)

// TestWakeup registers devices of all push services, sends them a message, sees the push arrive, and acknowledges.
func TestWakeup(t *testing.T) {
	t.Parallel()
	url, configure, came := e2e.StartPushServices(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { configure(&c.Push) }})
	tokens := e2e.Tokens(server.Data)
	alice := tokens(t, "alice")
	base := server.URL + "/message/api/v2"
	var info struct {
		Services       []string
		VAPIDPublicKey string
	}
	if err := json.Unmarshal(e2e.Call(t, "GET", base+"/push", alice, "", ""), &info); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(info.Services); got != "[apns fcm unifiedpush webpush]" {
		t.Errorf("services %s", got)
	}
	for service, test := range map[string]struct {
		target string
		right  func(e2e.Push) bool
	}{
		"webpush": {`"endpoint":"` + url + `/webpush","keys":` + e2e.NewPushKeys(t).JSON(), func(p e2e.Push) bool {
			return p.Path == "/webpush" && p.Header.Get("Content-Encoding") == "aes128gcm" && strings.HasSuffix(p.Header.Get("Authorization"), ", k="+info.VAPIDPublicKey)
		}},
		"unifiedpush": {`"endpoint":"` + url + `/up?token=1"`, func(p e2e.Push) bool { return p.Path == "/up" && p.Body == `{"event":"wakeup"}` }},
		"fcm": {`"token":"registration"`, func(p e2e.Push) bool {
			return p.Path == "/v1/projects/demo/messages:send" && p.Header.Get("Authorization") == "Bearer access" && strings.Contains(p.Body, `"token":"registration"`)
		}},
		"apns": {`"token":"` + strings.Repeat("ab", 32) + `"`, func(p e2e.Push) bool {
			return p.Path == "/3/device/"+strings.Repeat("ab", 32) && p.Header.Get("Apns-Topic") == "org.example.app"
		}},
	} {
		t.Run(service, func(t *testing.T) {
			user := "user-" + service
			token := tokens(t, user)
			e2e.Call(t, "POST", base+"/devices", token, "application/json", `{"deviceId":"phone","push":{"service":"`+service+`",`+test.target+`}}`)
			id := e2e.SendMessage(t, base, alice, user, "the content is secret")
			p := e2e.AwaitPush(t, came)
			if !test.right(p) || strings.Contains(fmt.Sprint(p), "secret") {
				t.Errorf("%+v", p)
			}
			awaitState(t, base, alice, id, "WAKEUP_SENT")
			e2e.Call(t, "POST", base+"/messages/"+id+"/ack", tokens(t, user+"@phone"), "application/json", `{"state":"RECEIVED"}`)
			awaitState(t, base, alice, id, "RECEIVED")
		})
	}
}

// TestWakeupForItem: a subscription that asks for it has a device that is not connected woken for items of others, once until it connects.
func TestWakeupForItem(t *testing.T) {
	t.Parallel()
	url, configure, came := e2e.StartPushServices(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { configure(&c.Push) }})
	tokens := e2e.Tokens(server.Data)
	alice, bob := tokens(t, "alice"), tokens(t, "bob@phone")
	base := server.URL + "/message/api/v2"
	publish := func(token, text string) {
		e2e.Call(t, "POST", base+"/channels/news/items", token, "application/json", `{"content":{"text":"`+text+`"}}`)
	}
	e2e.Call(t, "POST", base+"/channels", alice, "application/json", `{"channelName":"news"}`)
	for user, token := range map[string]string{"alice": alice, "bob": bob} {
		e2e.Call(t, "POST", base+"/devices", token, "application/json", `{"deviceId":"phone","push":{"service":"unifiedpush","endpoint":"`+url+`/`+user+`"}}`)
		e2e.Call(t, "PUT", base+"/channels/news/subscribe", token, "application/json", `{"wake":"all"}`)
	}
	publish(alice, "secret")
	if p := e2e.AwaitPush(t, came); p.Path != "/bob" || p.Body != `{"event":"wakeup","channelName":"news"}` {
		t.Errorf("%+v", p)
	}
	publish(alice, "secret") // bob was woken and has not connected
	stream := e2e.OpenStream(t, server.URL+e2e.MessageAPI+"/events", bob)
	stream.Until("event: ready")
	publish(alice, "secret")
	stream.Until("event: item")
	stream.Body.Close()
	awaitAbsence(t, base, alice)
	publish(bob, "secret")
	publish(alice, "secret")
	if paths := e2e.AwaitPush(t, came).Path + e2e.AwaitPush(t, came).Path; paths != "/alice/bob" && paths != "/bob/alice" {
		t.Error(paths)
	}
}

// awaitAbsence waits until nobody is connected to the channel.
func awaitAbsence(t *testing.T, base, token string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if strings.Contains(string(e2e.Call(t, "GET", base+"/channels/news/presence", token, "", "")), `"count":0`) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("somebody is still connected")
		}
	}
}

// TestWakeupOfPending: a device whose target is dead loses it; once it has a new one it is woken for what is pending.
func TestWakeupOfPending(t *testing.T) {
	t.Parallel()
	url, configure, came := e2e.StartPushServices(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { configure(&c.Push) }})
	tokens := e2e.Tokens(server.Data)
	alice, bob := tokens(t, "alice"), tokens(t, "bob")
	base := server.URL + "/message/api/v2"
	register := func(path string) {
		e2e.Call(t, "POST", base+"/devices", bob, "application/json", `{"deviceId":"phone","push":{"service":"unifiedpush","endpoint":"`+url+path+`"}}`)
	}
	register("/gone")
	id := e2e.SendMessage(t, base, alice, "bob", "hello")
	e2e.AwaitPush(t, came)
	awaitState(t, base, alice, id, "PENDING")
	if devices := string(e2e.Call(t, "GET", base+"/devices", bob, "", "")); !strings.Contains(devices, `"push":null`) {
		t.Error(devices)
	}
	register("/new")
	if p := e2e.AwaitPush(t, came); p.Path != "/new" {
		t.Errorf("%+v", p)
	}
	awaitState(t, base, alice, id, "WAKEUP_SENT")
}

// awaitState waits until the one copy of a message has come to a state: the sender is not told of wake-ups.
func awaitState(t *testing.T, base, token, id, want string) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		var copies []struct{ State string }
		if err := json.Unmarshal(e2e.Call(t, "GET", base+"/messages/"+id, token, "", ""), &copies); err != nil || len(copies) != 1 {
			t.Fatalf("%v %v", copies, err)
		}
		if copies[0].State == want {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the message is %s, want %s", copies[0].State, want)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// TestWakeupKill ends the server with SIGKILL while pushes are under way: the next process sends those again when their leases
// have ended, and not those that the first one had settled. The configuration is as a user writes it.
func TestWakeupKill(t *testing.T) {
	t.Parallel()
	e2e.NeedSignals(t)
	var answer atomic.Bool
	var mu sync.Mutex
	pushes := map[string]int{} // by path
	came := make(chan struct{}, 64)
	push := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then is it seen that the caller is gone
		mu.Lock()
		pushes[r.URL.Path]++
		mu.Unlock()
		if strings.HasPrefix(r.URL.Path, "/slow") {
			came <- struct{}{}
			if !answer.Load() {
				<-r.Context().Done() // until the caller is gone
			}
		}
	}))
	t.Cleanup(push.Close)
	args := []string{"--only", "messaging", "--data", filepath.Join(t.TempDir(), "killed"), "--push-permit", "127.0.0.0/8", "--push-timeout", "1s"}
	server := e2e.StartBinary(t, args...)
	tokens := e2e.Tokens(args[3])
	alice := tokens(t, "alice")
	sent := map[string]string{} // path -> message
	for _, path := range []string{"/fast1", "/fast2", "/fast3", "/slow1", "/slow2", "/slow3"} {
		user := "user-" + path[1:]
		e2e.Call(t, "POST", server.URL+e2e.MessageAPI+"/devices", tokens(t, user), "application/json", `{"deviceId":"phone","push":{"service":"unifiedpush","endpoint":"`+push.URL+path+`"}}`)
		sent[path] = e2e.SendMessage(t, server.URL+e2e.MessageAPI, alice, user, "hello")
		if strings.HasPrefix(path, "/fast") {
			awaitState(t, server.URL+e2e.MessageAPI, alice, sent[path], "WAKEUP_SENT")
		} else {
			<-came
		}
	}
	if err := server.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = server.Wait() // it was killed
	answer.Store(true)
	again := e2e.StartBinary(t, args...)
	for _, id := range sent {
		awaitState(t, again.URL+e2e.MessageAPI, alice, id, "WAKEUP_SENT")
	}
	mu.Lock()
	defer mu.Unlock()
	for path, n := range pushes {
		if fast := strings.HasPrefix(path, "/fast"); fast && n != 1 || !fast && n < 2 {
			t.Errorf("%s was pushed %d times", path, n)
		}
	}
}
