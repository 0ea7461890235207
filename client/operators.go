package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"
)

// What follows is for admins, and audited. docs/guides/operators.md explains.

// Overview returns how the server is, as JSON: streams, rates, store, queue, push and the history of an hour.
func (c *Client) Overview(ctx context.Context) (overview json.RawMessage, err error) {
	err = c.call(ctx, http.MethodGet, prefix+"/admin/overview", nil, &overview)
	return overview, err
}

// Delivery is a copy of a direct message.
type Delivery struct {
	MessageID  string     `json:"messageId"`
	Sender     string     `json:"sender"`
	Recipient  string     `json:"recipient"`
	DeviceID   string     `json:"deviceId"` // "" for a user without devices
	State      string     `json:"state"`
	QueuedAt   time.Time  `json:"queuedAt"`
	WokenAt    *time.Time `json:"wokenAt"`
	ReceivedAt *time.Time `json:"receivedAt"`
	ExpiresAt  time.Time  `json:"expiresAt"`
}

// Wakeup is the place of a device in the queue of wake-ups.
type Wakeup struct {
	UserID   string    `json:"userId"`
	DeviceID string    `json:"deviceId"`
	Service  string    `json:"service"`
	DueAt    time.Time `json:"dueAt"`
	Sending  bool      `json:"sending"`
	Attempts int       `json:"attempts"`
}

// DeliveryPage is a page of copies with the wake-ups of their devices.
type DeliveryPage struct {
	Deliveries []Delivery `json:"deliveries"`
	Wakeups    []Wakeup   `json:"wakeups"`
	NextCursor string     `json:"nextCursor"` // "" at the end
}

// Deliveries returns a page of the copies of direct messages, the newest first, to a user or, for "", to everybody, queued since a time
// unless that is zero.
func (c *Client) Deliveries(ctx context.Context, userID string, since time.Time, cursor string, size int) (page DeliveryPage, err error) {
	query := pageQuery(cursor, size)
	if userID != "" {
		query.Set("user", userID)
	}
	if !since.IsZero() {
		query.Set("since", since.UTC().Format(time.RFC3339Nano))
	}
	err = c.call(ctx, http.MethodGet, prefix+"/admin/deliveries?"+query.Encode(), nil, &page)
	return page, err
}

// Tap is Follow for the events of one channel, whoever may read it.
func (c *Client) Tap(ctx context.Context, channel string, f Following) error {
	return c.follow(ctx, prefix+"/admin/events?channel="+url.QueryEscape(channel), f)
}
