// Package client calls the HTTP API of an edict server: signing in, channels and their members, items, messages, live streams, users, simulations, and what
// operators see.
//
// A [Client] is a value with the server's URL and a token; [SignIn] and [Backend] get tokens. Failures of the server are [fault.Error]s with the server's
// words. [Client.Follow] reconnects by itself and goes on where it was, so that its caller sees every event once.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"edict/platform/fault"
)

// Client calls one server as one user. URL and Token are required; it may be used from any goroutine.
type Client struct {
	URL   string       // of the server, without a path: "http://127.0.0.1:8080"
	Token string       // access token
	HTTP  *http.Client // nil: http.DefaultClient; it must not have a timeout for streams
}

const prefix = "/message/api/v2"

// Item is what Publish publishes. Content is a JSON object.
type Item struct {
	Content     json.RawMessage `json:"content"`
	MessageType string          `json:"messageType,omitempty"`
	ContentType string          `json:"contentType,omitempty"`
}

// Publish publishes an item to a channel ("news", or "user#news" for somebody's private one) and returns its id. When it
// returns nil the item is on the server's disk.
func (c *Client) Publish(ctx context.Context, channel string, item Item) (id string, err error) {
	var answer struct{ MessageID string }
	err = c.call(ctx, http.MethodPost, channelPath(channel)+"/items", item, &answer)
	return answer.MessageID, err
}

// Message is what Send sends. Content is a JSON object.
type Message struct {
	Recipients []string        `json:"recipientUserIds"`
	Content    json.RawMessage `json:"content"`
	Receipt    bool            `json:"receipt,omitempty"`
	TTL        int64           `json:"ttl,omitempty"` // seconds; 0: the server's default
}

// Unsent is a recipient that a message was not sent to.
type Unsent struct {
	UserID string `json:"recipientUserId"`
	Reason string `json:"message"`
}

// Send sends a message to users by id and returns the message's id, "" when it was sent to nobody, and the users that do not exist.
func (c *Client) Send(ctx context.Context, m Message) (id string, unsent []Unsent, err error) {
	var answer struct {
		SentList   []struct{ MessageID string }
		UnsentList []Unsent
	}
	err = c.call(ctx, http.MethodPost, prefix+"/messages/send_to_user_ids", m, &answer)
	if len(answer.SentList) > 0 {
		id = answer.SentList[0].MessageID
	}
	return id, answer.UnsentList, err
}

// UserID returns the id of the user with that name or id. A word that nobody has is returned as it is, for the server to say so;
// one that is the name of a user and the id of another is a fault of kind Conflict.
func (c *Client) UserID(ctx context.Context, who string) (string, error) {
	var byID, byName struct{ UserID string }
	noID := c.call(ctx, http.MethodGet, "/auth/users/"+url.PathEscape(who), nil, &byID)
	noName := c.call(ctx, http.MethodGet, "/auth/users?username="+url.QueryEscape(who), nil, &byName)
	for _, err := range []error{noID, noName} {
		if err != nil && fault.KindOf(err) != fault.NotFound {
			return "", err
		}
	}
	switch {
	case noName != nil:
		return who, nil
	case noID == nil && byID.UserID != byName.UserID:
		return "", fault.New(fault.Conflict, "%q is the name of user %s and the id of another user: use the id %[2]s, or the other user's name", who, byName.UserID)
	}
	return byName.UserID, nil
}

// Subscribe subscribes to a channel, again or for the first time, and returns the channel's full name.
func (c *Client) Subscribe(ctx context.Context, channel string) (name string, err error) {
	var subscribed struct{ SubID string }
	if err := c.call(ctx, http.MethodPut, channelPath(channel)+"/subscribe", nil, &subscribed); err != nil {
		return "", err
	}
	var all []struct{ ChannelName, SubscriptionID string }
	if err := c.call(ctx, http.MethodGet, prefix+"/channels/my_subscriptions", nil, &all); err != nil {
		return "", err
	}
	for _, s := range all {
		if s.SubscriptionID == subscribed.SubID {
			return s.ChannelName, nil
		}
	}
	return channel, nil
}

func channelPath(channel string) string { return prefix + "/channels/" + url.PathEscape(channel) }

// maxAnswer bounds what is read of an answer.
const maxAnswer = 64 << 20

// call sends a request with a JSON body, if any, and reads the JSON answer, unless nil.
func (c *Client) call(ctx context.Context, method, path string, body, answer any) error {
	var in io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return fault.Wrap(err, fault.Invalid, "the content is not JSON")
		}
		in = bytes.NewReader(raw)
	}
	r, err := c.request(ctx, method, path, in)
	if err != nil {
		return err
	}
	resp, err := c.http().Do(r)
	if err != nil {
		return unreachable(c.URL, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return failure(resp)
	}
	if answer == nil {
		return nil
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(answer); err != nil {
		return fault.Wrap(err, fault.Internal, "the answer of %s is not understood: is that an edict server?", c.URL)
	}
	return nil
}

func (c *Client) request(ctx context.Context, method, path string, body io.Reader) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.URL, "/")+path, body)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "%q is not the URL of a server", c.URL)
	}
	if c.Token != "" {
		r.Header.Set("Authorization", "Bearer "+c.Token)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return r, nil
}

func (c *Client) http() *http.Client {
	if c.HTTP == nil {
		return http.DefaultClient
	}
	return c.HTTP
}

func unreachable(server string, err error) error {
	if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) {
		err = wrapped.Err // without the URL, which is said already
	}
	return fault.Wrap(err, fault.Unavailable, "%s cannot be reached: is the server running there?", server)
}

// unknown is the error of what answers and cannot be messaging as this client knows it.
func unknown(server, what string) error {
	return fault.New(fault.Invalid, "the server at %s %s: check the address, that it does not run with --only simulation, and that this client is not older than the server", server, what)
}

// kinds gives a status its kind; others are Internal from 500 and Invalid below.
var kinds = map[int]fault.Kind{
	http.StatusUnauthorized: fault.Unauthenticated, http.StatusForbidden: fault.Forbidden, http.StatusNotFound: fault.NotFound,
	http.StatusConflict: fault.Conflict, http.StatusGone: fault.Gone, http.StatusRequestEntityTooLarge: fault.TooLarge,
	http.StatusTooManyRequests: fault.TooMany, http.StatusServiceUnavailable: fault.Unavailable, http.StatusInsufficientStorage: fault.Full, http.StatusBadGateway: fault.Unavailable,
	http.StatusGatewayTimeout: fault.Unavailable,
}

// failure reads the error that a server answered.
func failure(resp *http.Response) error {
	var body struct {
		Code        int
		Message     string
		Description string `json:"error_description"` // below /auth
	}
	raw, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10)) // what cannot be read is not shown
	malformed := json.Unmarshal(raw, &body) != nil
	if body.Message == "" {
		body.Message = body.Description
	}
	if treed := watchFailure(raw); treed != "" {
		malformed, body.Message = false, treed
	}
	if malformed || body.Message == "" {
		body.Message = fmt.Sprintf("the server answered %s", resp.Status)
		if !malformed { // OpenFisca's errors mirror the situation
			body.Message += ": " + string(raw)
		}
	}
	// The version of messaging is part of its paths, and whatever it has not, it says with a code.
	if u := resp.Request.URL; resp.StatusCode == http.StatusNotFound && body.Code == 0 && strings.HasPrefix(u.Path, prefix) {
		return unknown(u.Scheme+"://"+u.Host, "has no "+u.Path)
	}
	kind, ok := kinds[resp.StatusCode]
	switch {
	case ok:
	case resp.StatusCode >= 500:
		kind = fault.Internal
	default:
		kind = fault.Invalid
	}
	failed := fault.New(kind, "%s", body.Message).WithCode(body.Code)
	failed.RetryAfter, _ = strconv.Atoi(resp.Header.Get("Retry-After")) // 0 if it is missing or a date
	return failed
}
