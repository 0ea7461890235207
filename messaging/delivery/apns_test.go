package delivery_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"edict/messaging/delivery"
)

const deviceToken = "740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad"

var apnsNotice = delivery.Notice{Target: []byte(`{"token":"` + strings.ToUpper(deviceToken) + `"}`), TTL: time.Hour}

// apple is APNs: HTTP/2 over TLS, provider tokens that are good for an hour.
type apple struct {
	*httptest.Server
	t      *testing.T
	now    time.Time
	tokens []string // different ones, in order
	got    []*http.Request
	bodies []string
	answer func(w http.ResponseWriter) bool // true when it has answered
}

func newApple(t *testing.T) *apple {
	a := &apple{t: t, now: time.Now()}
	a.Server = httptest.NewUnstartedServer(a)
	a.EnableHTTP2 = true
	a.StartTLS()
	t.Cleanup(a.Close)
	return a
}

func (a *apple) adapter(alert string) *delivery.APNs {
	key, err := delivery.DeriveKey([]byte("apns"))
	if err != nil {
		a.t.Fatal(err)
	}
	return delivery.NewAPNs(delivery.APNsOptions{
		URL: a.URL, Key: key, KeyID: "ABC123DEFG", Team: "DEF123GHIJ", Topic: "org.example.app", Alert: alert, Now: func() time.Time { return a.now },
	}, newGuard(a.t, delivery.Rules{Permit: []string{"127.0.0.1"}, Authorities: certificateOf(a.Server)}))
}

func (a *apple) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor != 2 || r.Method != "POST" || r.URL.Path != "/3/device/"+deviceToken {
		a.t.Errorf("%s %s %s", r.Proto, r.Method, r.URL.Path)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		a.t.Error(err)
	}
	a.got, a.bodies = append(a.got, r), append(a.bodies, string(body))
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "bearer ")
	if !ok {
		a.t.Errorf("Authorization: %q", r.Header.Get("Authorization"))
	}
	if n := len(a.tokens); n == 0 || a.tokens[n-1] != token {
		a.tokens = append(a.tokens, token)
	}
	a.verify(token)
	if a.answer != nil && a.answer(w) {
		return
	}
	w.Header().Set("Apns-Id", "123e4567-e89b-12d3-a456-42665544000")
}

func (a *apple) verify(token string) {
	key, err := delivery.DeriveKey([]byte("apns"))
	if err != nil {
		a.t.Error(err)
		return
	}
	header, claims, err := verifyES256(token, &key.PublicKey)
	if err != nil || header["alg"] != "ES256" || header["kid"] != "ABC123DEFG" || claims["iss"] != "DEF123GHIJ" {
		a.t.Errorf("provider token %v %v: %v", header, claims, err)
		return
	}
	if age := a.now.Unix() - int64(claims["iat"].(float64)); age > 3600 || age < 0 {
		a.t.Errorf("the provider token is %d seconds old", age)
	}
}

func TestAPNs(t *testing.T) {
	a := newApple(t)
	p := a.adapter("")
	push := func() {
		t.Helper()
		if err := p.Push(t.Context(), apnsNotice); err != nil {
			t.Fatal(err)
		}
	}
	push()
	h := a.got[0].Header
	if h.Get("Apns-Topic") != "org.example.app" || h.Get("Apns-Push-Type") != "background" || h.Get("Apns-Priority") != "5" ||
		h.Get("Apns-Collapse-Id") == "" || h.Get("Apns-Expiration") != strconv.FormatInt(a.now.Add(time.Hour).Unix(), 10) {
		t.Errorf("%v", h)
	}
	if a.bodies[0] != `{"aps":{"content-available":1},"event":"wakeup"}` {
		t.Error(a.bodies[0])
	}
	a.now = a.now.Add(49 * time.Minute)
	push()
	if len(a.tokens) != 1 {
		t.Errorf("%d provider tokens in 49 minutes", len(a.tokens))
	}
	a.now = a.now.Add(time.Minute)
	push()
	if len(a.tokens) != 2 {
		t.Errorf("%d provider tokens in 50 minutes", len(a.tokens))
	}
	shown := a.adapter(`New "mail"`)
	if err := shown.Push(t.Context(), apnsNotice); err != nil {
		t.Fatal(err)
	}
	if h := a.got[3].Header; h.Get("Apns-Push-Type") != "alert" || h.Get("Apns-Priority") != "10" {
		t.Errorf("%v", h)
	}
	if a.bodies[3] != `{"aps":{"alert":{"body":"New \"mail\""},"mutable-content":1},"event":"wakeup"}` {
		t.Error(a.bodies[3])
	}
}

func TestAPNsAnswers(t *testing.T) {
	a := newApple(t)
	p := a.adapter("")
	for _, test := range []struct {
		status        int
		reason, after string
		want          delivery.Failure
	}{
		{410, "Unregistered", "", delivery.Failure{Outcome: delivery.Dead}},
		{410, "ExpiredToken", "", delivery.Failure{Outcome: delivery.Dead}},
		{400, "BadDeviceToken", "", delivery.Failure{Outcome: delivery.Dead}},
		{400, "DeviceTokenNotForTopic", "", delivery.Failure{Outcome: delivery.Dead}},
		{400, "BadTopic", "", delivery.Failure{Outcome: delivery.Refused}},
		{403, "InvalidProviderToken", "", delivery.Failure{Outcome: delivery.Refused, All: true}},
		{413, "PayloadTooLarge", "", delivery.Failure{Outcome: delivery.Refused}},
		{429, "TooManyRequests", "20", delivery.Failure{Outcome: delivery.Busy, After: 20 * time.Second}},
		{429, "TooManyProviderTokenUpdates", "", delivery.Failure{Outcome: delivery.Busy, All: true}},
		{500, "InternalServerError", "", delivery.Failure{Outcome: delivery.Failed}},
		{503, "Shutdown", "", delivery.Failure{Outcome: delivery.Busy, All: true}},
	} {
		a.answer = func(w http.ResponseWriter) bool {
			if test.after != "" {
				w.Header().Set("Retry-After", test.after)
			}
			w.WriteHeader(test.status)
			fmt.Fprintf(w, `{"reason":%q,"timestamp":1750000000000}`, test.reason)
			return true
		}
		wantFailure(t, test.reason, p.Push(t.Context(), apnsNotice), test.want)
	}
}

// TestExpiredProviderToken: a token that APNs finds too old is replaced at once, unless it is too young to be replaced.
func TestExpiredProviderToken(t *testing.T) {
	a := newApple(t)
	p := a.adapter("")
	expired := func(w http.ResponseWriter) bool {
		w.WriteHeader(403)
		fmt.Fprint(w, `{"reason":"ExpiredProviderToken"}`)
		return true
	}
	a.answer = expired
	wantFailure(t, "young", p.Push(t.Context(), apnsNotice), delivery.Failure{Outcome: delivery.Refused, All: true})
	a.now = a.now.Add(30 * time.Minute)
	n := 0
	a.answer = func(w http.ResponseWriter) bool {
		n++
		return n == 1 && expired(w)
	}
	if err := p.Push(t.Context(), apnsNotice); err != nil || len(a.tokens) != 2 {
		t.Errorf("%v, %d provider tokens", err, len(a.tokens))
	}
}
