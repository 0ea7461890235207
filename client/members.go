package client

import (
	"context"
	"net/http"
	"net/url"
)

// Subscription ties a user to a channel.
type Subscription struct {
	ID       string `json:"subscriptionId"`
	UserID   string `json:"userId"`
	Channel  string `json:"channelName"` // "owner#name" for a private one
	DeviceID string `json:"deviceId"`    // "" for all devices of the user
	Wake     string `json:"wake"`        // "all" or "none": whether items wake devices; the caller's own only
}

// MySubscriptions returns the caller's subscriptions.
func (c *Client) MySubscriptions(ctx context.Context) (all []Subscription, err error) {
	err = c.call(ctx, http.MethodGet, prefix+"/channels/my_subscriptions", nil, &all)
	return all, err
}

// Subscriptions returns the subscriptions of a channel.
func (c *Client) Subscriptions(ctx context.Context, channel string) (all []Subscription, err error) {
	err = c.call(ctx, http.MethodGet, channelPath(channel)+"/subscriptions", nil, &all)
	return all, err
}

// WakeFor subscribes to a channel, if the caller is not yet, and says whether its items wake the caller's devices.
func (c *Client) WakeFor(ctx context.Context, channel string, wake bool) error {
	word := "none"
	if wake {
		word = "all"
	}
	return c.call(ctx, http.MethodPut, channelPath(channel)+"/subscribe", struct {
		Wake string `json:"wake"`
	}{word}, nil)
}

// Unsubscribe cancels the caller's subscriptions to a channel.
func (c *Client) Unsubscribe(ctx context.Context, channel string) error {
	return c.call(ctx, http.MethodPut, channelPath(channel)+"/unsubscribe", nil, nil)
}

// Present is a user who has a live stream that carries a channel.
type Present struct {
	UserID  string   `json:"userId"`
	Devices []string `json:"devices"`
	Streams int      `json:"streams"`
}

// Presence returns who has a live stream that carries a channel, at most 1000 of them, and how many there are.
func (c *Client) Presence(ctx context.Context, channel string) (users []Present, count int, err error) {
	var answer struct {
		Count int
		Users []Present
	}
	err = c.call(ctx, http.MethodGet, channelPath(channel)+"/presence", nil, &answer)
	return answer.Users, answer.Count, err
}

// Invite invites users to a channel and returns how many were not invited before. It is for the owner.
func (c *Client) Invite(ctx context.Context, channel string, userIDs []string) (invited int, err error) {
	var answer struct{ Invited int }
	err = c.call(ctx, http.MethodPost, channelPath(channel)+"/invite", struct {
		UserIDs []string `json:"userIds"`
	}{userIDs}, &answer)
	return answer.Invited, err
}

// WithdrawInvitation takes an invitation back and ends that user's subscriptions. It is for the owner.
func (c *Client) WithdrawInvitation(ctx context.Context, channel, userID string) error {
	return c.call(ctx, http.MethodDelete, channelPath(channel)+"/invite/"+url.PathEscape(userID), nil, nil)
}
