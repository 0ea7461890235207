package delivery_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"edict/messaging"
	"edict/messaging/delivery"
	"edict/platform/fault"
)

func newGuard(t *testing.T, r delivery.Rules) *delivery.Guard {
	t.Helper()
	g, err := delivery.NewGuard(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	return g
}

func TestCheckURL(t *testing.T) {
	g := newGuard(t, delivery.Rules{
		Hosts:  []string{"push.example.org", "*.push.example.com", "odd.example.org:8443", "any.example.org:*"},
		Permit: []string{"10.1.0.0/16", "::1", "ntfy.internal"},
	})
	for url, wrong := range map[string]string{
		"https://push.example.org/x?y=z":      "",
		"https://PUSH.example.org./x":         "",
		"https://push.example.org:443/x":      "",
		"https://a.b.push.example.com/x":      "",
		"https://odd.example.org:8443/x":      "",
		"https://any.example.org:1/x":         "",
		"https://10.1.2.3:99/x":               "",
		"http://10.1.2.3/x":                   "",
		"http://[::1]:80/x":                   "",
		"http://ntfy.internal/x":              "",
		"http://push.example.org/x":           "https://",
		"https://push.example.org:8443/x":     "not among",
		"https://push.example.com/x":          "not among",
		"https://evilpush.example.com/x":      "not among",
		"https://push.example.org.evil.org/x": "not among",
		"https://push.example.org@evil.org/x": "user",
		"https://evil.org/push.example.org":   "not among",
		"https://odd.example.org/x":           "not among",
		"https://10.2.2.3/x":                  "not among",
		"https://127.0.0.1/x":                 "not among",
		"https://2130706433/x":                "not among", // 127.0.0.1 for some
		"https://[::ffff:127.0.0.1]/x":        "not among",
		"http://10.2.2.3/x":                   "https://",
		"ftp://ntfy.internal/x":               "https://",
		"file:///etc/passwd":                  "not a URL",
		"https:push.example.org":              "not a URL",
		"//push.example.org/x":                "https://",
		"https://push.example.org/x#y":        "fragment",
		"https://push.example.org/\x00":       "not a URL",
		"":                                    "not a URL",
	} {
		u, err := g.CheckURL(url)
		if wrong == "" && (err != nil || u == nil) || wrong != "" && (err == nil || !strings.Contains(err.Error(), wrong)) {
			t.Errorf("%s: got %v, want %q", url, err, wrong)
		}
	}
	if _, err := newGuard(t, delivery.Rules{Hosts: []string{"*"}}).CheckURL("https://anything.example/x"); err != nil {
		t.Error(err)
	}
	for _, bad := range []delivery.Rules{
		{Hosts: []string{""}}, {Hosts: []string{"a*b"}}, {Hosts: []string{"*b"}}, {Hosts: []string{"https://x"}}, {Hosts: []string{"x:"}},
		{Permit: []string{""}}, {Permit: []string{"*"}}, {Permit: []string{"10.0.0.0/99"}}, {Permit: []string{"host:80"}},
		{Authorities: []byte("nonsense")},
	} {
		if _, err := delivery.NewGuard(bad); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}

// TestPrivateAddresses: a listed host that resolves to an address that is not public is not reached, whatever it resolved to
// when it was checked.
func TestPrivateAddresses(t *testing.T) {
	reached := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached++ }))
	defer server.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL, "http://"), ":")
	get := func(g *delivery.Guard, host string) error {
		resp, err := g.Client().Get("http://" + host + ":" + port + "/")
		if err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
		return err
	}
	strict := newGuard(t, delivery.Rules{Hosts: []string{"*:*"}})
	for _, host := range []string{"localhost", "127.0.0.1", "[::ffff:127.0.0.1]", "0.0.0.0"} {
		if err := get(strict, host); err == nil || !strings.Contains(err.Error(), "not public") {
			t.Errorf("%s: %v", host, err)
		}
	}
	if reached != 0 {
		t.Errorf("the server was reached %d times", reached)
	}
	for _, permit := range []string{"127.0.0.0/8", "127.0.0.1", "localhost"} {
		host := "127.0.0.1"
		if permit == "localhost" {
			host = permit
		}
		if err := get(newGuard(t, delivery.Rules{Permit: []string{permit, "::1"}}), host); err != nil {
			t.Errorf("permitted %s: %v", permit, err)
		}
	}
	if reached != 3 {
		t.Errorf("the server was reached %d times, want 3", reached)
	}
}

func TestPublic(t *testing.T) {
	for addr, want := range map[string]bool{
		"1.1.1.1": true, "142.250.1.1": true, "2606:4700::1111": true, "2a00:1450:4001::1": true,
		"10.0.0.1": false, "172.16.0.1": false, "192.168.1.1": false, "127.1.2.3": false, "169.254.169.254": false, "100.64.0.1": false,
		"0.0.0.0": false, "0.1.2.3": false, "224.0.0.1": false, "255.255.255.255": false, "240.0.0.1": false, "198.18.0.1": false, "192.0.2.1": false,
		"::": false, "::1": false, "::7f00:1": false, "fe80::1": false, "fc00::1": false, "fd00::1": false, "ff02::1": false, "fec0::1": false,
		"::ffff:0:7f00:1": false, "::ffff:0:10.0.0.1": false, // SIIT (RFC 2765)
		"64:ff9b::7f00:1": false, "2002:7f00:1::": false, "2001:0:1::": false, "2001:db8::1": false,
	} {
		if got := delivery.Public(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s: public %v, want %v", addr, got, want)
		}
	}
}

func TestCheckTarget(t *testing.T) {
	g := newGuard(t, delivery.Rules{Hosts: []string{"push.example.org"}})
	const point = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
	for _, test := range []struct{ service, target, wrong string }{
		{"webpush", `{"endpoint":"https://push.example.org/x","expirationTime":null,"keys":{"p256dh":"` + point + `","auth":"BTBZMqHH6r4Tts7J_aSIgg"}}`, ""},
		{"webpush", `{"endpoint":"https://push.example.org/x","keys":{"p256dh":"` + strings.NewReplacer("-", "+", "_", "/").Replace(point) + `=","auth":"BTBZMqHH6r4Tts7J/aSIgg=="}}`, ""},
		{"webpush", `{"endpoint":"https://push.example.org/x"}`, ""},
		{"webpush", `{}`, "push.endpoint is missing"},
		{"webpush", `{"endpoint":7}`, "push.endpoint cannot be a JSON number"},
		{"webpush", `{"endpoint":"https://evil.example/x"}`, "push.endpoint is at evil.example, which is not among"},
		{"webpush", `{"endpoint":"https://push.example.org/x","keys":{"auth":"BTBZMqHH6r4Tts7J_aSIgg"}}`, "push.keys.p256dh"},
		{"webpush", `{"endpoint":"https://push.example.org/x","keys":{"p256dh":"` + point + `","auth":"AAAA"}}`, "push.keys.auth"},
		{"webpush", `{"endpoint":"https://push.example.org/x","keys":{"p256dh":"` + point[:86] + `A","auth":"BTBZMqHH6r4Tts7J_aSIgg"}}`, "push.keys.p256dh"},
		{"webpush", `{"endpoint":"https://push.example.org/x","keys":[]}`, "push.keys cannot be a JSON array"},
		{"unifiedpush", `{"endpoint":"https://push.example.org/x"}`, ""},
		{"unifiedpush", `{"endpoint":"http://push.example.org/x"}`, "https://"},
		{"fcm", `{"token":"abc:DEF-_"}`, ""},
		{"fcm", `{"token":""}`, "push.token"},
		{"fcm", `{"token":"a b"}`, "push.token"},
		{"fcm", `{"tokens":"x"}`, "push.token"},
		{"apns", `{"token":"` + strings.Repeat("0aF", 22)[:64] + `"}`, ""},
		{"apns", `{"token":"../../3/device/0000000000000000"}`, "push.token"},
		{"apns", `{"token":"abcd"}`, "push.token"},
	} {
		err := g.CheckTarget(messaging.Push{Service: test.service, Target: []byte(test.target)})
		switch {
		case test.wrong == "" && err != nil:
			t.Errorf("%s %s: %v", test.service, test.target, err)
		case test.wrong != "" && (err == nil || !strings.Contains(err.Error(), test.wrong) || messaging.CodeOf(err) != 31 || fault.KindOf(err) != fault.Invalid):
			t.Errorf("%s %s: got %v, want %q", test.service, test.target, err, test.wrong)
		}
	}
}

// FuzzTarget: whatever a target holds, reading it ends in a target or in words.
func FuzzTarget(f *testing.F) {
	f.Add("webpush", `{"endpoint":"https://push.example.org/x","keys":{"p256dh":"AA","auth":"AA"}}`)
	f.Add("unifiedpush", `{"endpoint":"https://[::1]:x/"}`)
	f.Add("fcm", `{"token":"x"}`)
	f.Add("apns", `{"token":"00"}`)
	g, err := delivery.NewGuard(delivery.Rules{Hosts: []string{"push.example.org"}})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, service, target string) {
		if err := g.CheckTarget(messaging.Push{Service: service, Target: []byte(target)}); err != nil && fault.KindOf(err) != fault.Invalid {
			t.Errorf("%v", err)
		}
	})
}
