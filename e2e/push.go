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
	"testing"
	"time"

	"edict/cli"
	"edict/messaging/delivery/pushtest"
)

// NewPushKeys returns the keys of a browser that takes pushes.
func NewPushKeys(t *testing.T) *pushtest.Keys {
	t.Helper()
	keys, err := pushtest.NewKeys()
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// Push is a request that came to the push services of the test.
type Push struct {
	Header http.Header
	Path   string
	Body   string
}

// StartPushServices stands for the push services of the world: it takes whatever is pushed, over TLS and HTTP/2, and gives out
// access tokens.
func StartPushServices(t *testing.T) (url string, configure func(*cli.PushConfig), came <-chan Push) {
	requests := make(chan Push, 16)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if r.URL.Path == "/token" {
			fmt.Fprint(w, `{"access_token":"access","expires_in":3600}`)
			return
		}
		requests <- Push{r.Header, r.URL.Path, string(body)}
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

// SendMessage sends a direct message and returns its id.
func SendMessage(t *testing.T, base, token, to, text string) (id string) {
	t.Helper()
	answer := Call(t, "POST", base+"/messages/send_to_user_ids", token, "application/json", fmt.Sprintf(`{"recipientUserIds":[%q],"content":{"text":%q}}`, to, text))
	var sent struct{ SentList []struct{ MessageID string } }
	if err := json.Unmarshal(answer, &sent); err != nil || len(sent.SentList) != 1 {
		t.Fatalf("%s %v", answer, err)
	}
	return sent.SentList[0].MessageID
}

// AwaitPush returns the next push.
func AwaitPush(t *testing.T, came <-chan Push) Push {
	t.Helper()
	select {
	case p := <-came:
		return p
	case <-time.After(time.Minute):
		t.Fatal("no push came")
		return Push{}
	}
}
