package messaging_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"edict/cli"
	"edict/e2e"
	"edict/messaging/delivery/pushtest"
)

// TestPreview: what pushes for items say, decrypted where they are encrypted, for every push service, with wakePreview and without.
// testdata/push/preview.txt is that contract.
func TestPreview(t *testing.T) {
	t.Parallel()
	url, configure, came := e2e.StartPushServices(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { configure(&c.Push) }})
	tokens := e2e.Tokens(server.Data)
	base := server.URL + "/message/api/v2"
	keys := e2e.NewPushKeys(t)
	var report []string
	for _, channel := range []string{"plain", "shown", "long", "typed"} {
		owner := tokens(t, "alice")
		e2e.Call(t, "POST", base+"/channels", owner, "application/json", fmt.Sprintf(`{"channelName":%q,"wakePreview":%v}`, channel, channel != "plain"))
		targets := map[string]string{
			"webpush":     `"service":"webpush","endpoint":"` + url + `/webpush","keys":` + keys.JSON(),
			"keyless":     `"service":"webpush","endpoint":"` + url + `/keyless"`,
			"unifiedpush": `"service":"unifiedpush","endpoint":"` + url + `/unifiedpush","keys":` + keys.JSON(),
			"open":        `"service":"unifiedpush","endpoint":"` + url + `/open"`,
			"fcm":         `"service":"fcm","token":"registration"`,
			"apns":        `"service":"apns","token":"` + strings.Repeat("ab", 32) + `"`,
		}
		for name, target := range targets {
			user := tokens(t, channel+"-"+name)
			e2e.Call(t, "POST", base+"/devices", user, "application/json", `{"deviceId":"phone","push":{`+target+`}}`)
			e2e.Call(t, "PUT", base+"/channels/"+channel+"/subscribe", user, "application/json", `{"wake":"all"}`)
		}
		e2e.Call(t, "POST", base+"/channels/"+channel+"/items", owner, "application/json", map[string]string{
			"plain": `{"content":{"text":"nobody sees this"}}`,
			"shown": `{"content":{"text":"Fish & chips <3","price":1.50,"paid":true,"by":{"name":"Ann"},"tags":["a","b"]}}`,
			"long":  `{"content":{"text":"` + strings.Repeat("é", 500) + `","body":{"all":"` + strings.Repeat("x", 1000) + `"},"after":null}}`,
			"typed": `{"content":{"text":"hi"},"messageType":"chat","contentType":"text/plain"}`,
		}[channel])
		var pushes []string
		for range targets {
			pushes = append(pushes, channel+" "+describePush(t, e2e.AwaitPush(t, came), keys))
		}
		slices.Sort(pushes)
		report = append(report, pushes...)
	}
	compareText(t, "testdata/push/preview.txt", strings.Join(report, "\n")+"\n")
}

// describePush returns where a push went and what it says, without what differs from run to run.
func describePush(t *testing.T, p e2e.Push, keys *pushtest.Keys) string {
	t.Helper()
	text := p.Body
	if p.Header.Get("Content-Encoding") == "aes128gcm" {
		open, padded, err := keys.Open([]byte(p.Body))
		if err != nil {
			t.Fatal(err)
		}
		text = fmt.Sprintf("encrypted, %d bytes: %s", padded, open)
	}
	return regexp.MustCompile(`"(itemId|ttl)":"[0-9a-z]+"`).ReplaceAllString(p.Path+" "+text, `"$1":"<any>"`)
}

// compareText compares a text with a file, which -update rewrites.
func compareText(t *testing.T, file, got string) {
	t.Helper()
	if e2e.Update() {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s has\n%s, got\n%s", file, want, got)
	}
}
