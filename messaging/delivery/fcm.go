package delivery

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"
)

// FCM sends wake-ups through Firebase Cloud Messaging, HTTP v1.
type FCM struct {
	url     string
	account *ServiceAccount
	client  *http.Client
	now     func() time.Time
}

// FCMURL is where FCM is.
const FCMURL = "https://fcm.googleapis.com"

// NewFCM returns the adapter of FCM for the project of a service account. base is FCMURL, or a stand-in for it.
func NewFCM(base string, account *ServiceAccount, g *Guard) *FCM {
	return &FCM{
		url:     base + "/v1/projects/" + url.PathEscape(account.project) + "/messages:send",
		account: account, client: g.Client(), now: account.now,
	}
}

// Service implements Adapter.
func (*FCM) Service() string { return "fcm" }

// fcmMessage is the body of a send. A message of data alone wakes the application and shows nothing.
type fcmMessage struct {
	Message struct {
		Token   string            `json:"token"`
		Data    map[string]string `json:"data"`
		Android struct {
			Priority    string `json:"priority"`
			TTL         string `json:"ttl"`
			CollapseKey string `json:"collapse_key"`
		} `json:"android"`
	} `json:"message"`
}

func newFCMMessage(token string, n *Notice) (m fcmMessage) {
	m.Message.Token = token
	m.Message.Data = map[string]string{"event": n.payload().Event}
	if n.ChannelName != "" {
		m.Message.Data["channelName"] = n.ChannelName
	}
	m.Message.Android.Priority = "HIGH"
	m.Message.Android.TTL = strconv.FormatInt(int64(min(n.TTL, maxTTL)/time.Second), 10) + "s"
	m.Message.Android.CollapseKey = topic
	return m
}

// Push implements Adapter.
func (f *FCM) Push(ctx context.Context, n Notice) error {
	token, err := readFCM(n.Target)
	if err != nil {
		return &Failure{Outcome: Refused, Reason: err.Error()}
	}
	body, err := json.Marshal(newFCMMessage(token, &n))
	if err != nil {
		return failed("%v", err)
	}
	a, err := f.send(ctx, body)
	if err == nil && a.status == http.StatusUnauthorized {
		f.account.forget() // it was withdrawn before its time
		a, err = f.send(ctx, body)
	}
	switch {
	case err != nil:
		return err
	case a.ok():
		return nil
	}
	return fcmFailure(a)
}

func (f *FCM) send(ctx context.Context, body []byte) (*answer, error) {
	access, err := f.account.token(ctx, f.client)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, f.url, bytes.NewReader(body))
	if err != nil {
		return nil, failed("the request cannot be made")
	}
	r.Header.Set("Authorization", "Bearer "+access)
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	return do(f.client, r, f.now)
}

// fcmError is the body of a refusal.
type fcmError struct {
	Error struct {
		Status  string `json:"status"`
		Details []struct {
			ErrorCode       string `json:"errorCode"`
			FieldViolations []struct {
				Field string `json:"field"`
			} `json:"fieldViolations"`
		} `json:"details"`
	} `json:"error"`
}

// fcmFailure reads a refusal. A 404 alone says nothing of the token: the project may be the one that does not exist.
func fcmFailure(a *answer) *Failure {
	var body fcmError
	_ = json.Unmarshal(a.body, &body) // what is no JSON has no code
	code := body.Error.Status
	token := false
	for _, d := range body.Error.Details {
		if d.ErrorCode != "" {
			code = d.ErrorCode
		}
		for _, v := range d.FieldViolations {
			token = token || v.Field == "message.token"
		}
	}
	if slices.Contains([]string{"UNREGISTERED", "SENDER_ID_MISMATCH"}, code) || code == "INVALID_ARGUMENT" && token {
		return &Failure{Outcome: Dead, Reason: code}
	}
	failure := a.failure(code)
	failure.All = failure.Outcome == Busy || a.status == http.StatusUnauthorized || a.status == http.StatusForbidden
	return failure
}
