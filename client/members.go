package client

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// Subscription ties a user to a channel.
type Subscription struct {
	ID       string `json:"subscriptionId"`
	UserID   string `json:"userId"`
	Channel  string `json:"channelName"` // "owner#name" for a private one
	DeviceID string `json:"deviceId"`    // "" for all devices of the user

	// What follows is of the caller's own subscriptions only.
	Wake     string `json:"wake"`     // "all" or "none": whether items wake devices
	ReadUpTo string `json:"readUpTo"` // the last item that was read, "" for none
	Unread   int64  `json:"unread"`   // items of others after it
}

// MySubscriptions returns the caller's subscriptions, with what is unread.
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

// RemoveMember ends the subscriptions of a user to a channel. It is for the owner.
func (c *Client) RemoveMember(ctx context.Context, channel, userID string) error {
	return c.call(ctx, http.MethodDelete, channelPath(channel)+"/subscriptions/"+url.PathEscape(userID), nil, nil)
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

// Invitations returns a page of the ids of those who are invited, and the cursor of the next page, "" at the end. It is for the owner.
func (c *Client) Invitations(ctx context.Context, channel, cursor string, size int) (userIDs []string, next string, err error) {
	var answer struct {
		Invitations []struct{ UserID string }
		NextCursor  string
	}
	err = c.call(ctx, http.MethodGet, channelPath(channel)+"/invitations?"+pageQuery(cursor, size).Encode(), nil, &answer)
	for _, i := range answer.Invitations {
		userIDs = append(userIDs, i.UserID)
	}
	return userIDs, answer.NextCursor, err
}

// Ban keeps a user out of a channel. It is for the owner, and may be repeated.
func (c *Client) Ban(ctx context.Context, channel, userID string) error {
	return c.call(ctx, http.MethodPut, channelPath(channel)+"/bans/"+url.PathEscape(userID), nil, nil)
}

// Unban lifts a ban. It is for the owner, and may be repeated.
func (c *Client) Unban(ctx context.Context, channel, userID string) error {
	return c.call(ctx, http.MethodDelete, channelPath(channel)+"/bans/"+url.PathEscape(userID), nil, nil)
}

// Banned is a user who is kept out of a channel.
type Banned struct {
	UserID string    `json:"userId"`
	At     time.Time `json:"bannedDate"`
}

// Bans returns a page of those who are banned from a channel, and the cursor of the next page, "" at the end. It is for the owner.
func (c *Client) Bans(ctx context.Context, channel, cursor string, size int) (banned []Banned, next string, err error) {
	var answer struct {
		Bans       []Banned
		NextCursor string
	}
	err = c.call(ctx, http.MethodGet, channelPath(channel)+"/bans?"+pageQuery(cursor, size).Encode(), nil, &answer)
	return answer.Bans, answer.NextCursor, err
}
