package delivery_test

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"edict/messaging/delivery"
)

// google is a token endpoint and FCM in one server.
type google struct {
	*httptest.Server
	t    *testing.T
	key  *rsa.PrivateKey
	mu   sync.Mutex
	now  time.Time
	gave int // access tokens

	oauth   func(w http.ResponseWriter) bool // true when it has answered
	answer  func(w http.ResponseWriter) bool
	sent    []map[string]any
	invalid map[string]bool // access tokens
}

func newGoogle(t *testing.T) *google {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	g := &google{t: t, key: key, now: time.Now(), invalid: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /token", g.token)
	mux.HandleFunc("POST /v1/projects/the-project/messages:send", g.send)
	g.Server = httptest.NewTLSServer(mux)
	t.Cleanup(g.Close)
	return g
}

func (g *google) clock() time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.now
}

func (g *google) advance(d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.now = g.now.Add(d)
}

// credentials is the file that Google gives out.
func (g *google) credentials() []byte {
	der, err := x509.MarshalPKCS8PrivateKey(g.key)
	if err != nil {
		g.t.Fatal(err)
	}
	raw, _ := json.Marshal(map[string]string{ // strings: never fails
		"type": "service_account", "project_id": "the-project", "private_key_id": "k1", "client_email": "edict@the-project.example",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})), "token_uri": g.URL + "/token",
	})
	return raw
}

func (g *google) adapter() *delivery.FCM {
	account, err := delivery.ParseServiceAccount(g.credentials(), g.clock)
	if err != nil {
		g.t.Fatal(err)
	}
	return delivery.NewFCM(g.URL, account, newGuard(g.t, delivery.Rules{Permit: []string{"127.0.0.1"}, Authorities: certificateOf(g.Server)}))
}

// token checks the assertion as RFC 7523 wants it and gives an access token for an hour.
func (g *google) token(w http.ResponseWriter, r *http.Request) {
	if g.oauth != nil && g.oauth(w) {
		return
	}
	if grant := r.FormValue("grant_type"); grant != "urn:ietf:params:oauth:grant-type:jwt-bearer" {
		g.t.Errorf("grant_type %q", grant)
	}
	parts := strings.Split(r.FormValue("assertion"), ".")
	signature, _ := base64.RawURLEncoding.DecodeString(parts[2])
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if err := rsa.VerifyPKCS1v15(&g.key.PublicKey, crypto.SHA256, digest[:], signature); err != nil {
		g.t.Errorf("the assertion: %v", err)
	}
	var header, claims map[string]any
	for i, into := range []*map[string]any{&header, &claims} {
		raw, _ := base64.RawURLEncoding.DecodeString(parts[i])
		if err := json.Unmarshal(raw, into); err != nil {
			g.t.Error(err)
		}
	}
	now := g.clock().Unix()
	if header["alg"] != "RS256" || header["kid"] != "k1" || claims["iss"] != "edict@the-project.example" || claims["aud"] != g.URL+"/token" ||
		claims["scope"] != "https://www.googleapis.com/auth/firebase.messaging" || int64(claims["iat"].(float64)) != now || int64(claims["exp"].(float64)) != now+3600 {
		g.t.Errorf("assertion %v %v", header, claims)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.gave++
	fmt.Fprintf(w, `{"access_token":"access-%d","expires_in":3600,"token_type":"Bearer"}`, g.gave)
}

func (g *google) send(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok || token != fmt.Sprintf("access-%d", g.gave) || g.invalid[token] {
		w.WriteHeader(401)
		fmt.Fprint(w, `{"error":{"code":401,"status":"UNAUTHENTICATED"}}`)
		return
	}
	if g.answer != nil && g.answer(w) {
		return
	}
	var body map[string]any
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		g.t.Error(err)
	}
	g.sent = append(g.sent, body)
	fmt.Fprint(w, `{"name":"projects/the-project/messages/1"}`)
}

var fcmNotice = delivery.Notice{Target: []byte(`{"token":"secret-token"}`), TTL: 90 * time.Second}

func TestFCM(t *testing.T) {
	g := newGoogle(t)
	f := g.adapter()
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			if err := f.Push(t.Context(), fcmNotice); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if g.gave != 1 {
		t.Errorf("%d access tokens for ten pushes at once", g.gave)
	}
	sent, _ := json.Marshal(g.sent[0])
	if want := `{"message":{"android":{"collapse_key":"edict","priority":"HIGH","ttl":"90s"},"data":{"event":"wakeup"},"token":"secret-token"}}`; string(sent) != want {
		t.Errorf("got %s, want %s", sent, want)
	}
	g.advance(54 * time.Minute)
	if err := f.Push(t.Context(), fcmNotice); err != nil || g.gave != 1 {
		t.Errorf("%v, %d tokens", err, g.gave)
	}
	g.advance(time.Minute)
	if err := f.Push(t.Context(), fcmNotice); err != nil || g.gave != 2 {
		t.Errorf("before it expires: %v, %d tokens", err, g.gave)
	}
	g.invalid["access-2"] = true
	if err := f.Push(t.Context(), fcmNotice); err != nil || g.gave != 3 {
		t.Errorf("withdrawn: %v, %d tokens", err, g.gave)
	}
}

func TestFCMAnswers(t *testing.T) {
	const details = `{"error":{"code":%d,"status":"%s","message":"text","details":[{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"%s"}]}}`
	g := newGoogle(t)
	f := g.adapter()
	for _, test := range []struct {
		status int
		body   string
		after  string
		want   delivery.Failure
	}{
		{404, fmt.Sprintf(details, 404, "NOT_FOUND", "UNREGISTERED"), "", delivery.Failure{Outcome: delivery.Dead}},
		{404, `{"error":{"code":404,"status":"NOT_FOUND"}}`, "", delivery.Failure{Outcome: delivery.Refused}},
		{403, fmt.Sprintf(details, 403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH"), "", delivery.Failure{Outcome: delivery.Dead}},
		{403, `{"error":{"code":403,"status":"PERMISSION_DENIED"}}`, "", delivery.Failure{Outcome: delivery.Refused, All: true}},
		{400, `{"error":{"code":400,"status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"INVALID_ARGUMENT"},{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"message.token","description":"Invalid registration token"}]}]}}`, "", delivery.Failure{Outcome: delivery.Dead}},
		{400, fmt.Sprintf(details, 400, "INVALID_ARGUMENT", "INVALID_ARGUMENT"), "", delivery.Failure{Outcome: delivery.Refused}},
		{429, fmt.Sprintf(details, 429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED"), "60", delivery.Failure{Outcome: delivery.Busy, After: time.Minute, All: true}},
		{503, fmt.Sprintf(details, 503, "UNAVAILABLE", "UNAVAILABLE"), "7", delivery.Failure{Outcome: delivery.Busy, After: 7 * time.Second, All: true}},
		{500, `<html>`, "", delivery.Failure{Outcome: delivery.Failed}},
	} {
		g.answer = func(w http.ResponseWriter) bool {
			if test.after != "" {
				w.Header().Set("Retry-After", test.after)
			}
			w.WriteHeader(test.status)
			fmt.Fprint(w, test.body)
			return true
		}
		wantFailure(t, test.body, f.Push(t.Context(), fcmNotice), test.want)
	}
}

// TestNoAccessToken: without a token there is nothing to do for any device.
func TestNoAccessToken(t *testing.T) {
	g := newGoogle(t)
	for _, test := range []struct {
		status int
		body   string
		want   delivery.Failure
	}{
		{400, `{"error":"invalid_grant"}`, delivery.Failure{Outcome: delivery.Refused, All: true}},
		{503, ``, delivery.Failure{Outcome: delivery.Busy, After: 30 * time.Second, All: true}},
		{200, `{}`, delivery.Failure{Outcome: delivery.Failed}},
	} {
		g.oauth = func(w http.ResponseWriter) bool {
			if test.status == 503 {
				w.Header().Set("Retry-After", "30")
			}
			w.WriteHeader(test.status)
			fmt.Fprint(w, test.body)
			return true
		}
		wantFailure(t, test.body, g.adapter().Push(t.Context(), fcmNotice), test.want)
	}
}

func TestServiceAccount(t *testing.T) {
	g := newGoogle(t)
	good := string(g.credentials())
	for _, bad := range []string{"", "{}", strings.Replace(good, "service_account", "authorized_user", 1), strings.Replace(good, "BEGIN", "BEGUN", 1), strings.Replace(good, "token_uri", "x", 1)} {
		if _, err := delivery.ParseServiceAccount([]byte(bad), time.Now); err == nil {
			t.Errorf("accepted: %.60s", bad)
		} else if strings.Contains(err.Error(), "BEG") {
			t.Errorf("the error tells the key: %v", err)
		}
	}
}
