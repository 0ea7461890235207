package e2e

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"edict/cli"
)

// pushed is a request that came to the push services of the test.
type pushed struct {
	header http.Header
	path   string
	body   string
}

// pushServices stands for the push services of the world: it takes whatever is pushed, over TLS and HTTP/2, and gives out
// access tokens.
func pushServices(t *testing.T) (url string, configure func(*cli.PushConfig), came <-chan pushed) {
	requests := make(chan pushed, 16)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if r.URL.Path == "/token" {
			fmt.Fprint(w, `{"access_token":"access","expires_in":3600}`)
			return
		}
		requests <- pushed{r.Header, r.URL.Path, string(body)}
		if strings.HasSuffix(r.URL.Path, "/gone") {
			w.WriteHeader(http.StatusGone)
		}
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	dir := t.TempDir()
	write := func(name string, text []byte) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	block := func(kind string, der []byte, err error) []byte {
		if err != nil {
			t.Fatal(err)
		}
		return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
	}
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p8, err := x509.MarshalPKCS8PrivateKey(ec)
	apnsKey := block("PRIVATE KEY", p8, err)
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(rsaKey)
	account, err := json.Marshal(map[string]string{
		"type": "service_account", "project_id": "demo", "client_email": "x@example.org", "private_key_id": "1",
		"private_key": string(block("PRIVATE KEY", der, err)), "token_uri": server.URL + "/token",
	})
	if err != nil {
		t.Fatal(err)
	}
	return server.URL, func(c *cli.PushConfig) {
		c.Services = []string{"webpush", "unifiedpush", "fcm", "apns"}
		c.Permit, c.CA = []string{"127.0.0.1"}, write("ca.pem", block("CERTIFICATE", server.Certificate().Raw, nil))
		c.FCMURL, c.FCMCredentials = server.URL, write("account.json", account)
		c.APNsURL, c.APNsKey, c.APNsKeyID, c.APNsTeam, c.APNsTopic = server.URL, write("key.p8", apnsKey), "KEY", "TEAM", "org.example.app"
	}, requests
}

// TestWakeup registers devices of all push services, sends them a message, sees the push arrive, and acknowledges.
func TestWakeup(t *testing.T) {
	url, configure, came := pushServices(t)
	server := Start(t, Options{Configure: func(c *cli.Config) { configure(&c.Push) }})
	tokens := Tokens(server.Data)
	alice := tokens(t, "alice")
	base := server.URL + "/message/api/v2"
	var info struct {
		Services       []string
		VAPIDPublicKey string
	}
	if err := json.Unmarshal(call(t, "GET", base+"/push", alice, "", ""), &info); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(info.Services); got != "[apns fcm unifiedpush webpush]" {
		t.Errorf("services %s", got)
	}
	for service, test := range map[string]struct {
		target string
		right  func(pushed) bool
	}{
		"webpush": {`"endpoint":"` + url + `/webpush","keys":` + newKeys(t).JSON(), func(p pushed) bool {
			return p.path == "/webpush" && p.header.Get("Content-Encoding") == "aes128gcm" && strings.HasSuffix(p.header.Get("Authorization"), ", k="+info.VAPIDPublicKey)
		}},
		"unifiedpush": {`"endpoint":"` + url + `/up?token=1"`, func(p pushed) bool { return p.path == "/up" && p.body == `{"event":"wakeup"}` }},
		"fcm": {`"token":"registration"`, func(p pushed) bool {
			return p.path == "/v1/projects/demo/messages:send" && p.header.Get("Authorization") == "Bearer access" && strings.Contains(p.body, `"token":"registration"`)
		}},
		"apns": {`"token":"` + strings.Repeat("ab", 32) + `"`, func(p pushed) bool {
			return p.path == "/3/device/"+strings.Repeat("ab", 32) && p.header.Get("Apns-Topic") == "org.example.app"
		}},
	} {
		t.Run(service, func(t *testing.T) {
			user := "user-" + service
			token := tokens(t, user)
			call(t, "POST", base+"/devices", token, "application/json", `{"deviceId":"phone","push":{"service":"`+service+`",`+test.target+`}}`)
			id := sendMessage(t, base, alice, user, "the content is secret")
			p := await(t, came)
			if !test.right(p) || strings.Contains(fmt.Sprint(p), "secret") {
				t.Errorf("%+v", p)
			}
			awaitState(t, base, alice, id, "WAKEUP_SENT")
			call(t, "POST", base+"/messages/"+id+"/ack", tokens(t, user+"@phone"), "application/json", `{"state":"RECEIVED"}`)
			awaitState(t, base, alice, id, "RECEIVED")
		})
	}
}

// TestWakeupForItem: a subscription that asks for it has a device that is not connected woken for items of others, once until it connects.
func TestWakeupForItem(t *testing.T) {
	url, configure, came := pushServices(t)
	server := Start(t, Options{Configure: func(c *cli.Config) { configure(&c.Push) }})
	tokens := Tokens(server.Data)
	alice, bob := tokens(t, "alice"), tokens(t, "bob@phone")
	base := server.URL + "/message/api/v2"
	publish := func(token, text string) {
		call(t, "POST", base+"/channels/news/items", token, "application/json", `{"content":{"text":"`+text+`"}}`)
	}
	call(t, "POST", base+"/channels", alice, "application/json", `{"channelName":"news"}`)
	for user, token := range map[string]string{"alice": alice, "bob": bob} {
		call(t, "POST", base+"/devices", token, "application/json", `{"deviceId":"phone","push":{"service":"unifiedpush","endpoint":"`+url+`/`+user+`"}}`)
		call(t, "PUT", base+"/channels/news/subscribe", token, "application/json", `{"wake":"all"}`)
	}
	publish(alice, "secret")
	if p := await(t, came); p.path != "/bob" || p.body != `{"event":"wakeup","channelName":"news"}` {
		t.Errorf("%+v", p)
	}
	publish(alice, "secret") // bob was woken and has not connected
	stream := openStream(t, server.URL+api+"/events", bob)
	stream.until("event: ready")
	publish(alice, "secret")
	stream.until("event: item")
	stream.body.Close()
	awaitAbsence(t, base, alice)
	publish(bob, "secret")
	publish(alice, "secret")
	if paths := await(t, came).path + await(t, came).path; paths != "/alice/bob" && paths != "/bob/alice" {
		t.Error(paths)
	}
}

// awaitAbsence waits until nobody is connected to the channel.
func awaitAbsence(t *testing.T, base, token string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if strings.Contains(string(call(t, "GET", base+"/channels/news/presence", token, "", "")), `"count":0`) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("somebody is still connected")
		}
	}
}

// TestWakeupLater: a device whose target is dead loses it; once it has a new one it is woken for what is pending.
func TestWakeupLater(t *testing.T) {
	url, configure, came := pushServices(t)
	server := Start(t, Options{Configure: func(c *cli.Config) { configure(&c.Push) }})
	tokens := Tokens(server.Data)
	alice, bob := tokens(t, "alice"), tokens(t, "bob")
	base := server.URL + "/message/api/v2"
	register := func(path string) {
		call(t, "POST", base+"/devices", bob, "application/json", `{"deviceId":"phone","push":{"service":"unifiedpush","endpoint":"`+url+path+`"}}`)
	}
	register("/gone")
	id := sendMessage(t, base, alice, "bob", "hello")
	await(t, came)
	awaitState(t, base, alice, id, "PENDING")
	if devices := string(call(t, "GET", base+"/devices", bob, "", "")); !strings.Contains(devices, `"push":null`) {
		t.Error(devices)
	}
	register("/new")
	if p := await(t, came); p.path != "/new" {
		t.Errorf("%+v", p)
	}
	awaitState(t, base, alice, id, "WAKEUP_SENT")
}

func sendMessage(t *testing.T, base, token, to, text string) (id string) {
	t.Helper()
	answer := call(t, "POST", base+"/messages/send_to_user_ids", token, "application/json", fmt.Sprintf(`{"recipientUserIds":[%q],"content":{"text":%q}}`, to, text))
	var sent struct{ SentList []struct{ MessageID string } }
	if err := json.Unmarshal(answer, &sent); err != nil || len(sent.SentList) != 1 {
		t.Fatalf("%s %v", answer, err)
	}
	return sent.SentList[0].MessageID
}

func await(t *testing.T, came <-chan pushed) pushed {
	t.Helper()
	select {
	case p := <-came:
		return p
	case <-time.After(time.Minute):
		t.Fatal("no push came")
		return pushed{}
	}
}

// awaitState waits until the one copy of a message has come to a state: the sender is not told of wake-ups.
func awaitState(t *testing.T, base, token, id, want string) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		var copies []struct{ State string }
		if err := json.Unmarshal(call(t, "GET", base+"/messages/"+id, token, "", ""), &copies); err != nil || len(copies) != 1 {
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
	needSignals(t)
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
	server := StartBinary(t, args...)
	tokens := Tokens(args[3])
	alice := tokens(t, "alice")
	sent := map[string]string{} // path -> message
	for _, path := range []string{"/fast1", "/fast2", "/fast3", "/slow1", "/slow2", "/slow3"} {
		user := "user-" + path[1:]
		call(t, "POST", server.URL+api+"/devices", tokens(t, user), "application/json", `{"deviceId":"phone","push":{"service":"unifiedpush","endpoint":"`+push.URL+path+`"}}`)
		sent[path] = sendMessage(t, server.URL+api, alice, user, "hello")
		if strings.HasPrefix(path, "/fast") {
			awaitState(t, server.URL+api, alice, sent[path], "WAKEUP_SENT")
		} else {
			<-came
		}
	}
	if err := server.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = server.Wait() // it was killed
	answer.Store(true)
	again := StartBinary(t, args...)
	for _, id := range sent {
		awaitState(t, again.URL+api, alice, id, "WAKEUP_SENT")
	}
	mu.Lock()
	defer mu.Unlock()
	for path, n := range pushes {
		if fast := strings.HasPrefix(path, "/fast"); fast && n != 1 || !fast && n < 2 {
			t.Errorf("%s was pushed %d times", path, n)
		}
	}
}
