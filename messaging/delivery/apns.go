package delivery

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// APNs sends wake-ups through the Apple Push Notification service, over HTTP/2 with provider tokens.
type APNs struct {
	opts   APNsOptions
	client *http.Client
	now    func() time.Time

	mu     sync.Mutex
	token  string
	issued time.Time
}

// APNsURL is where APNs is.
const APNsURL = "https://api.push.apple.com"

// APNsOptions configures an APNs.
type APNsOptions struct {
	URL   string            // APNsURL, or its sandbox
	Key   *ecdsa.PrivateKey // of the provider, by ParseKey from the .p8 file
	KeyID string
	Team  string // team id
	Topic string // bundle id of the application
	Alert string // text to show; "" wakes the application in the background and shows nothing
	Now   func() time.Time
}

// NewAPNs returns the adapter of APNs.
func NewAPNs(o APNsOptions, g *Guard) *APNs {
	return &APNs{opts: o, client: g.Client(), now: o.Now}
}

// apnsMessage is the body of a push.
type apnsMessage struct {
	APS struct {
		Alert *struct {
			Body string `json:"body"`
		} `json:"alert,omitempty"`
		ContentAvailable int `json:"content-available,omitempty"`
		MutableContent   int `json:"mutable-content,omitempty"`
	} `json:"aps"`
	payload
}

func (a *APNs) body(n *Notice) []byte {
	m := apnsMessage{payload: n.payload()}
	if a.opts.Alert == "" {
		m.APS.ContentAvailable = 1
	} else {
		m.APS.Alert = &struct {
			Body string `json:"body"`
		}{a.opts.Alert}
		m.APS.MutableContent = 1
	}
	text, _ := json.Marshal(m) // plain fields: never fails
	return text
}

// Service implements Adapter.
func (*APNs) Service() string { return "apns" }

// APNs refuses provider tokens that are older than an hour, and senders that make new ones more often than every 20 minutes.
const (
	providerTokenLife  = 50 * time.Minute
	providerTokenLeast = 20 * time.Minute
)

// providerToken returns the token of now; after a refusal one that is not too young is replaced.
func (a *APNs) providerToken(refused bool) (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	age := now.Sub(a.issued)
	if a.token != "" && age < providerTokenLife && (!refused || age < providerTokenLeast) {
		return a.token, nil
	}
	token, err := sign(jose.ES256, a.opts.Key, a.opts.KeyID, map[string]any{"iss": a.opts.Team, "iat": now.Unix()})
	if err != nil {
		return "", failed("signing: %v", err)
	}
	a.token, a.issued = token, now
	return token, nil
}

// Push implements Adapter.
func (a *APNs) Push(ctx context.Context, n Notice) error {
	device, err := readAPNs(n.Target)
	if err != nil {
		return &Failure{Outcome: Refused, Reason: err.Error()}
	}
	token, err := a.providerToken(false)
	if err != nil {
		return err
	}
	got, err := a.send(ctx, device, token, &n)
	if err == nil && apnsReason(got) == "ExpiredProviderToken" {
		if token, err = a.providerToken(true); err != nil {
			return err
		}
		got, err = a.send(ctx, device, token, &n)
	}
	switch {
	case err != nil:
		return err
	case got.ok():
		return nil
	}
	return apnsFailure(got)
}

func (a *APNs) send(ctx context.Context, device, token string, n *Notice) (*answer, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.opts.URL+"/3/device/"+device, bytes.NewReader(a.body(n)))
	if err != nil {
		return nil, failed("the request cannot be made")
	}
	kind, priority := "background", "5"
	if a.opts.Alert != "" {
		kind, priority = "alert", "10"
	}
	r.Header.Set("Authorization", "bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Apns-Topic", a.opts.Topic)
	r.Header.Set("Apns-Push-Type", kind)
	r.Header.Set("Apns-Priority", priority)
	r.Header.Set("Apns-Collapse-Id", topic)
	r.Header.Set("Apns-Expiration", strconv.FormatInt(a.now().Add(min(n.TTL, maxTTL)).Unix(), 10))
	return do(a.client, r, a.now)
}

// The reasons of refusals that say that a token will never work again, and those that say that the provider is at fault.
var (
	apnsDead     = []string{"BadDeviceToken", "DeviceTokenNotForTopic", "ExpiredToken", "Unregistered"}
	apnsProvider = []string{"BadCertificate", "BadCertificateEnvironment", "ExpiredProviderToken", "Forbidden", "InvalidProviderToken", "MissingProviderToken", "TooManyProviderTokenUpdates"}
)

func apnsReason(a *answer) string {
	var body struct {
		Reason string `json:"reason"`
	}
	_ = json.Unmarshal(a.body, &body) // what is no JSON has no reason
	return body.Reason
}

func apnsFailure(a *answer) *Failure {
	reason := apnsReason(a)
	if a.status == http.StatusGone || slices.Contains(apnsDead, reason) {
		return &Failure{Outcome: Dead, Reason: strconv.Itoa(a.status) + " " + reason}
	}
	f := a.failure(reason)
	// 429 is about one device, except for the tokens of the provider.
	f.All = a.status == http.StatusServiceUnavailable || slices.Contains(apnsProvider, reason)
	return f
}
