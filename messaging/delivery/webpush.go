package delivery

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// WebPush sends wake-ups to browsers (RFC 8030), signed (VAPID) and encrypted when the subscription has keys.
type WebPush struct {
	service string
	guard   *Guard
	vapid   *VAPID
	plain   bool // targets without keys are told in plain text
	now     func() time.Time
}

// NewWebPush returns the adapter of Web Push.
func NewWebPush(g *Guard, v *VAPID) *WebPush {
	return &WebPush{service: "webpush", guard: g, vapid: v, now: v.now}
}

// NewUnifiedPush returns the adapter of UnifiedPush, which is Web Push whose targets may be without keys: they are told in
// plain text, which has nothing to hide.
func NewUnifiedPush(g *Guard, v *VAPID) *WebPush {
	return &WebPush{service: "unifiedpush", guard: g, vapid: v, plain: true, now: v.now}
}

// Service implements Adapter.
func (p *WebPush) Service() string { return p.service }

// maxTTL is the longest that push services keep a message.
const maxTTL = 4 * 7 * 24 * time.Hour

// Push implements Adapter.
func (p *WebPush) Push(ctx context.Context, n Notice) error {
	r, err := p.request(ctx, n)
	if err != nil {
		return err
	}
	a, err := do(p.guard.Client(), r, p.now)
	switch {
	case err != nil:
		return err
	case a.ok():
		return nil
	case a.status == http.StatusNotFound || a.status == http.StatusGone:
		return &Failure{Outcome: Dead, Reason: strconv.Itoa(a.status) + " the subscription is gone"}
	}
	return a.failure("")
}

func (p *WebPush) request(ctx context.Context, n Notice) (*http.Request, error) {
	endpoint, keys, err := p.guard.readEndpoint(n.Target)
	if err != nil {
		return nil, &Failure{Outcome: Refused, Reason: err.Error()}
	}
	var body []byte
	kind := "application/json"
	switch {
	case keys != nil:
		kind = "application/octet-stream"
		text, length := n.secret()
		if body, err = encrypt(text, length, keys); err != nil {
			return nil, failed("encrypting: %v", err)
		}
	case p.plain:
		body = n.payload().json()
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint.String(), bytes.NewReader(body))
	if err != nil {
		return nil, failed("the request cannot be made")
	}
	authorization, err := p.vapid.authorization(originOf(endpoint))
	if err != nil {
		return nil, failed("signing: %v", err)
	}
	r.Header.Set("Authorization", authorization)
	r.Header.Set("TTL", strconv.FormatInt(int64(min(n.TTL, maxTTL)/time.Second), 10))
	r.Header.Set("Urgency", "high")
	r.Header.Set("Topic", topic)
	if len(body) > 0 {
		r.Header.Set("Content-Type", kind)
	}
	if keys != nil {
		r.Header.Set("Content-Encoding", "aes128gcm")
	}
	return r, nil
}

// originOf returns the origin of an endpoint as tokens name it, without the port that goes without saying.
func originOf(u *url.URL) string {
	return u.Scheme + "://" + strings.TrimSuffix(strings.ToLower(u.Host), map[string]string{"https": ":443", "http": ":80"}[u.Scheme])
}
