package delivery_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"edict/messaging"
	"edict/messaging/delivery"
	"edict/messaging/delivery/pushtest"
)

// browser is a subscription of Web Push: a server that takes pushes, and the keys to read them.
type browser struct {
	*httptest.Server
	keys   *pushtest.Keys
	answer func(w http.ResponseWriter)
	got    []*http.Request
	bodies [][]byte
}

func newBrowser(t *testing.T) *browser {
	keys, err := pushtest.NewKeys()
	if err != nil {
		t.Fatal(err)
	}
	b := &browser{keys: keys, answer: func(w http.ResponseWriter) { w.WriteHeader(http.StatusCreated) }}
	b.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		b.got, b.bodies = append(b.got, r), append(b.bodies, body)
		b.answer(w)
	}))
	b.EnableHTTP2 = true
	b.StartTLS()
	t.Cleanup(b.Close)
	return b
}

func (b *browser) target(keys bool) json.RawMessage {
	if !keys {
		return json.RawMessage(`{"endpoint":"` + b.URL + `/push/secret"}`)
	}
	return json.RawMessage(`{"endpoint":"` + b.URL + `/push/secret","keys":` + b.keys.JSON() + `}`)
}

// open decrypts a body as a browser does.
func (b *browser) open(t *testing.T, body []byte) string {
	t.Helper()
	text, _, err := b.keys.Open(body)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func (b *browser) guard(t *testing.T) *delivery.Guard {
	return newGuard(t, delivery.Rules{Permit: []string{"127.0.0.1"}, Authorities: certificateOf(b.Server)})
}

func certificateOf(s *httptest.Server) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
}

func newVAPID(t *testing.T, now func() time.Time) *delivery.VAPID {
	t.Helper()
	key, err := delivery.DeriveKey([]byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	v, err := delivery.NewVAPID(key, "mailto:ops@example.org", now)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// verifyES256 checks the signature of a JWT and returns its header and claims.
func verifyES256(token string, key *ecdsa.PublicKey) (header, claims map[string]any, err error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return nil, nil, fmt.Errorf("%q is no token", token)
	}
	raw := make([][]byte, 3)
	for i := range parts {
		if raw[i], err = base64.RawURLEncoding.DecodeString(parts[i]); err != nil {
			return nil, nil, err
		}
	}
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if len(raw[2]) != 64 || !ecdsa.Verify(key, digest[:], new(big.Int).SetBytes(raw[2][:32]), new(big.Int).SetBytes(raw[2][32:])) {
		return nil, nil, errors.New("the signature is wrong")
	}
	return header, claims, errors.Join(json.Unmarshal(raw[0], &header), json.Unmarshal(raw[1], &claims))
}

func TestWebPush(t *testing.T) {
	b := newBrowser(t)
	now := time.Now()
	vapid := newVAPID(t, func() time.Time { return now })
	p := delivery.NewWebPush(b.guard(t), vapid)
	push := func() *http.Request {
		t.Helper()
		if err := p.Push(t.Context(), delivery.Notice{Target: b.target(true), TTL: 90 * time.Minute}); err != nil {
			t.Fatal(err)
		}
		return b.got[len(b.got)-1]
	}
	r := push()
	if r.Method != "POST" || r.URL.Path != "/push/secret" || r.ProtoMajor != 2 || r.Header.Get("TTL") != "5400" || r.Header.Get("Topic") == "" ||
		r.Header.Get("Urgency") != "high" || r.Header.Get("Content-Encoding") != "aes128gcm" {
		t.Errorf("%s %s %v", r.Method, r.URL, r.Header)
	}
	if got := b.open(t, b.bodies[0]); got != `{"event":"wakeup"}` {
		t.Errorf("payload %q", got)
	}
	token, public := readVAPID(t, r)
	if public != vapid.PublicKey() {
		t.Errorf("key %s, want %s", public, vapid.PublicKey())
	}
	point, err := base64.RawURLEncoding.DecodeString(public)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		t.Fatal(err)
	}
	header, claims, err := verifyES256(token, key)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"aud": b.URL, "sub": "mailto:ops@example.org", "exp": float64(now.Add(12 * time.Hour).Unix())}
	if fmt.Sprint(claims) != fmt.Sprint(want) || header["typ"] != "JWT" || header["alg"] != "ES256" {
		t.Errorf("%v %v, want %v", header, claims, want)
	}
	if again, _ := readVAPID(t, push()); again != token {
		t.Error("a token that is good is made again")
	}
	now = now.Add(11*time.Hour + time.Second)
	if again, _ := readVAPID(t, push()); again == token {
		t.Error("a token is used until its last hour")
	}
	if bytes.Equal(b.bodies[0], b.bodies[1]) {
		t.Error("two pushes are encrypted the same way")
	}
}

func readVAPID(t *testing.T, r *http.Request) (token, key string) {
	t.Helper()
	rest, ok := strings.CutPrefix(r.Header.Get("Authorization"), "vapid t=")
	token, key, found := strings.Cut(rest, ", k=")
	if !ok || !found {
		t.Fatalf("Authorization: %q", r.Header.Get("Authorization"))
	}
	return token, key
}

// TestWebPushWithoutKeys: there is no way to say anything in secret, so nothing is said.
func TestWebPushWithoutKeys(t *testing.T) {
	b := newBrowser(t)
	if err := delivery.NewWebPush(b.guard(t), newVAPID(t, time.Now)).Push(t.Context(), delivery.Notice{Target: b.target(false), TTL: time.Hour}); err != nil {
		t.Fatal(err)
	}
	if len(b.bodies[0]) != 0 || b.got[0].Header.Get("Content-Encoding") != "" {
		t.Errorf("%q %v", b.bodies[0], b.got[0].Header)
	}
}

// TestUnifiedPush is told in secret when it can be, and in plain text otherwise.
func TestUnifiedPush(t *testing.T) {
	b := newBrowser(t)
	p := delivery.NewUnifiedPush(b.guard(t), newVAPID(t, time.Now))
	for i, keys := range []bool{true, false} {
		if err := p.Push(t.Context(), delivery.Notice{Target: b.target(keys), TTL: time.Hour}); err != nil {
			t.Fatal(err)
		}
		text := string(b.bodies[i])
		if keys {
			text = b.open(t, b.bodies[i])
		}
		if text != `{"event":"wakeup"}` {
			t.Errorf("keys %v: %q", keys, text)
		}
	}
}

// TestPreview: a preview is for the device alone, and how long a push is does not tell what it says.
func TestPreview(t *testing.T) {
	b := newBrowser(t)
	web, unified := delivery.NewWebPush(b.guard(t), newVAPID(t, time.Now)), delivery.NewUnifiedPush(b.guard(t), newVAPID(t, time.Now))
	long := messaging.Content(`{"a":"` + strings.Repeat("<", messaging.MaxPreview-len(`{"a":""}`)) + `"}`)
	name, person, kind := strings.Repeat("u", 64)+"#"+strings.Repeat("c", 50), messaging.UserID(strings.Repeat("p", 64)), strings.Repeat(`"`, messaging.DefaultLimits().TypeLength)
	for _, c := range []struct {
		adapter *delivery.WebPush
		keys    bool
		notice  delivery.Notice
		text    string
		length  int // of the body
	}{
		{web, true, delivery.Notice{}, `{"event":"wakeup"}`, 86 + 192 + 16},
		{web, true, delivery.Notice{ChannelName: name}, `{"event":"wakeup","channelName":"` + name + `"}`, 86 + 192 + 16},
		{web, true, delivery.Notice{ChannelName: "news", Preview: &messaging.Preview{ItemID: "i", Content: messaging.Content(`{"n":1.50,"t":"a<b"}`)}},
			`{"event":"wakeup","channelName":"news","itemId":"i","publisher":"deleted","preview":{"n":1.50,"t":"a<b"}}`, 86 + 2048 + 16},
		{unified, true, delivery.Notice{ChannelName: name, Preview: &messaging.Preview{ItemID: strings.Repeat("i", 24), Publisher: person, MessageType: kind, Content: long}},
			`{"event":"wakeup","channelName":"` + name + `","itemId":"iiiiiiiiiiiiiiiiiiiiiiii","publisher":"` + string(person) + `","messageType":"` + strings.Repeat(`\"`, len(kind)) + `","preview":` + string(long) + `}`, 86 + 2048 + 16},
		{unified, false, delivery.Notice{ChannelName: "news", Preview: &messaging.Preview{ItemID: "i", Content: long}}, `{"event":"wakeup","channelName":"news"}`, 39},
		{web, false, delivery.Notice{ChannelName: "news", Preview: &messaging.Preview{ItemID: "i", Content: long}}, "", 0},
	} {
		c.notice.Target, c.notice.TTL = b.target(c.keys), time.Hour
		if err := c.adapter.Push(t.Context(), c.notice); err != nil {
			t.Fatal(err)
		}
		body := b.bodies[len(b.bodies)-1]
		text := string(body)
		if c.keys {
			text = b.open(t, body)
		}
		if text != c.text || len(body) != c.length {
			t.Errorf("%d bytes, want %d:\n%s\n%s", len(body), c.length, text, c.text)
		}
	}
}

// TestEndpointAnswers: what the answers of Web Push and UnifiedPush mean.
func TestEndpointAnswers(t *testing.T) {
	b := newBrowser(t)
	g, v := b.guard(t), newVAPID(t, time.Now)
	for _, adapter := range []delivery.Adapter{delivery.NewWebPush(g, v), delivery.NewUnifiedPush(g, v)} {
		for _, test := range []struct {
			status  int
			headers string
			want    delivery.Failure
		}{
			{404, "", delivery.Failure{Outcome: delivery.Dead}},
			{410, "", delivery.Failure{Outcome: delivery.Dead}},
			{413, "", delivery.Failure{Outcome: delivery.Refused}},
			{400, "", delivery.Failure{Outcome: delivery.Refused}},
			{403, "", delivery.Failure{Outcome: delivery.Refused}},
			{302, "Location: " + b.URL + "/elsewhere", delivery.Failure{Outcome: delivery.Refused}},
			{307, "Location: " + b.URL + "/elsewhere", delivery.Failure{Outcome: delivery.Refused}},
			{429, "Retry-After: 120", delivery.Failure{Outcome: delivery.Busy, After: 2 * time.Minute}},
			{429, "Retry-After: nonsense", delivery.Failure{Outcome: delivery.Busy}},
			{503, "Retry-After: 999999999", delivery.Failure{Outcome: delivery.Busy, After: 24 * time.Hour}},
			{500, "", delivery.Failure{Outcome: delivery.Failed}},
		} {
			b.got = nil
			b.answer = func(w http.ResponseWriter) {
				if name, value, ok := strings.Cut(test.headers, ": "); ok {
					w.Header().Set(name, value)
				}
				w.WriteHeader(test.status)
			}
			wantFailure(t, fmt.Sprint(adapter.Service(), " ", test.status), adapter.Push(t.Context(), delivery.Notice{Target: b.target(true), TTL: time.Hour}), test.want)
			if len(b.got) != 1 {
				t.Errorf("%d: %d requests", test.status, len(b.got))
			}
		}
	}
}

func wantFailure(t *testing.T, what string, err error, want delivery.Failure) {
	t.Helper()
	f, ok := errors.AsType[*delivery.Failure](err)
	if !ok {
		t.Errorf("%s: %v is no failure", what, err)
		return
	}
	if f.Outcome != want.Outcome || f.After != want.After || f.All != want.All {
		t.Errorf("%s: got %+v, want %+v", what, *f, want)
	}
	if strings.Contains(err.Error(), "secret") {
		t.Errorf("%s: the failure tells the target: %v", what, err)
	}
}

// TestRetryAfterDate: the header may be a date.
func TestRetryAfterDate(t *testing.T) {
	b := newBrowser(t)
	now := time.Now()
	b.answer = func(w http.ResponseWriter) {
		w.Header().Set("Retry-After", now.Add(time.Hour).UTC().Format(http.TimeFormat))
		w.WriteHeader(429)
	}
	now = now.Truncate(time.Second)
	err := delivery.NewWebPush(b.guard(t), newVAPID(t, func() time.Time { return now })).Push(t.Context(), delivery.Notice{Target: b.target(true), TTL: time.Hour})
	wantFailure(t, "date", err, delivery.Failure{Outcome: delivery.Busy, After: time.Hour})
}

// TestUnreachable: an error of the network does not tell where the push was to go.
func TestUnreachable(t *testing.T) {
	b := newBrowser(t)
	p := delivery.NewWebPush(b.guard(t), newVAPID(t, time.Now))
	b.Close()
	wantFailure(t, "closed", p.Push(t.Context(), delivery.Notice{Target: b.target(true), TTL: time.Hour}), delivery.Failure{Outcome: delivery.Failed})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantFailure(t, "cancelled", p.Push(ctx, delivery.Notice{Target: b.target(true), TTL: time.Hour}), delivery.Failure{Outcome: delivery.Failed})
	wantFailure(t, "a target of former rules", p.Push(ctx, delivery.Notice{Target: []byte(`{"endpoint":"https://elsewhere.example/secret"}`), TTL: time.Hour}), delivery.Failure{Outcome: delivery.Refused})
}

func TestKeys(t *testing.T) {
	one, err := delivery.DeriveKey([]byte("one"))
	if err != nil {
		t.Fatal(err)
	}
	again, _ := delivery.DeriveKey([]byte("one"))
	other, _ := delivery.DeriveKey([]byte("other"))
	if !one.Equal(again) || one.Equal(other) {
		t.Error("a key is not made of its secret")
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(one)
	if err != nil {
		t.Fatal(err)
	}
	sec1, err := x509.MarshalECPrivateKey(one)
	if err != nil {
		t.Fatal(err)
	}
	for kind, der := range map[string][]byte{"PRIVATE KEY": pkcs8, "EC PRIVATE KEY": sec1} {
		parsed, err := delivery.ParseKey(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
		if err != nil || !parsed.Equal(one) {
			t.Errorf("%s: %v", kind, err)
		}
	}
	for _, bad := range []string{"", "nonsense", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"} {
		if _, err := delivery.ParseKey([]byte(bad)); err == nil {
			t.Errorf("%q is a key", bad)
		}
	}
	if _, err := delivery.NewVAPID(one, "ops@example.org", time.Now); err == nil {
		t.Error("a contact that is no URL is accepted")
	}
}
