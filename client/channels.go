package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Wherever a channel is named: "news" is a public channel, or else a private one of the caller's; "user#news" is somebody's private one.

// Unlimited is the MaxItems of a channel that keeps everything.
const Unlimited = -1

// NewChannel is what CreateChannel makes. What is nil or "" is as the server has it by default.
type NewChannel struct {
	Name                string `json:"channelName"`
	Description         string `json:"description,omitempty"`
	Private             bool   `json:"privateChannel,omitempty"`
	InviteOnly          bool   `json:"inviteOnly,omitempty"` // private channels only
	PublishPermission   string `json:"publishPermission,omitempty"`
	MaxItems            *int64 `json:"maxItems,omitempty"` // Unlimited, 0 for none, or how many
	MaxAge              *int64 `json:"maxAge,omitempty"`   // seconds, 0 for the server's maximum
	MaxPayloadSize      *int   `json:"maxPayloadSize,omitempty"`
	SubscribeOnCreate   *bool  `json:"subscribeOnCreate,omitempty"`
	SubscriptionEnabled *bool  `json:"subscriptionEnabled,omitempty"`
	WakePreview         bool   `json:"wakePreview,omitempty"`
}

// Channel is the record of a channel.
type Channel struct {
	Name                string    `json:"name"`
	Description         string    `json:"description"`
	Creator             string    `json:"creator"`
	CreationDate        time.Time `json:"creationDate"`
	ModifiedDate        time.Time `json:"modifiedDate"`
	MaxItems            int64     `json:"maxItems"`
	MaxAge              int64     `json:"maxAge"` // seconds, 0 for no limit
	MaxPayloadSize      int       `json:"maxPayloadSize"`
	SubscriptionEnabled bool      `json:"subscriptionEnabled"`
	PublishPermission   string    `json:"publishPermission"`
	Private             bool      `json:"privateChannel"`
	InviteOnly          bool      `json:"inviteOnly"`  // shown to owner and members
	UserID              string    `json:"userId"`      // owner of a private channel
	Owner               string    `json:"owner"`       // "" in lists, and once that account is gone
	WakePreview         bool      `json:"wakePreview"` // false in lists
}

// reading is a record as it is read by name.
type reading struct {
	Channel
	PublisherPermission string `json:"publisherPermission"`
}

func (r reading) channel() Channel {
	r.PublishPermission = r.PublisherPermission
	return r.Channel
}

// ChannelChange is what ChangeChannel changes; nil leaves as it is.
type ChannelChange struct {
	Description         *string `json:"description,omitempty"`
	MaxItems            *int64  `json:"maxItems,omitempty"` // lowering it removes the oldest at once
	MaxAge              *int64  `json:"maxAge,omitempty"`   // seconds, 0 for the server's maximum
	PublishPermission   *string `json:"publishPermission,omitempty"`
	SubscriptionEnabled *bool   `json:"subscriptionEnabled,omitempty"`
	InviteOnly          *bool   `json:"inviteOnly,omitempty"`
	MaxPayloadSize      *int    `json:"maxPayloadSize,omitempty"`
	WakePreview         *bool   `json:"wakePreview,omitempty"`
	Owner               *string `json:"owner,omitempty"` // the id of a subscriber; public channels only
}

// CreateChannel makes a channel that the caller owns.
func (c *Client) CreateChannel(ctx context.Context, n NewChannel) error {
	return c.call(ctx, http.MethodPost, prefix+"/channels", n, nil)
}

// Channel returns the record of a channel.
func (c *Client) Channel(ctx context.Context, channel string) (Channel, error) {
	var r reading
	err := c.call(ctx, http.MethodGet, channelPath(channel), nil, &r)
	return r.channel(), err
}

// ChangeChannel changes a channel and returns its record. It is for the owner.
func (c *Client) ChangeChannel(ctx context.Context, channel string, change ChannelChange) (Channel, error) {
	var r reading
	err := c.call(ctx, http.MethodPatch, channelPath(channel), change, &r)
	return r.channel(), err
}

// DeleteChannel deletes a channel with all it holds; a bare name is that of a public channel. Only the owner may do it.
func (c *Client) DeleteChannel(ctx context.Context, channel string) error {
	return c.call(ctx, http.MethodDelete, channelPath(channel), nil, nil)
}

// Search is what SearchChannels looks for; the criteria are all to be met.
type Search struct {
	Name        string // part of the name
	Description string // part of the description
	Tags        []string
	AllTags     bool // all of Tags, in place of any
	Offset      int
	Size        int // 0: the server's default
}

// SearchChannels returns the public channels and the caller's own private ones that match, by name, and how many there are in all.
func (c *Client) SearchChannels(ctx context.Context, s Search) (found []Channel, total int, err error) {
	query := pageQuery("", s.Size)
	for name, value := range map[string]string{"channelName": s.Name, "description": s.Description} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if s.Offset > 0 {
		query.Set("offset", strconv.Itoa(s.Offset))
	}
	if query["tag"] = s.Tags; s.AllTags {
		query.Set("tagMatch", "all")
	}
	var answer struct {
		Total   int
		Results []Channel
	}
	err = c.call(ctx, http.MethodGet, prefix+"/channels?"+query.Encode(), nil, &answer)
	return answer.Results, answer.Total, err
}

// Summary is what the items of a channel amount to.
type Summary struct {
	Items         int64      `json:"publishedItemCount"` // kept now
	LastPublished *time.Time `json:"lastPublishedTime"`  // nil when nothing was ever published
}

// Summary returns what the items of a channel amount to.
func (c *Client) Summary(ctx context.Context, channel string) (s Summary, err error) {
	err = c.call(ctx, http.MethodGet, channelPath(channel)+"/summary", nil, &s)
	return s, err
}

// Tags returns the tags of a channel.
func (c *Client) Tags(ctx context.Context, channel string) ([]string, error) {
	var answer struct{ Tags []string }
	err := c.call(ctx, http.MethodGet, channelPath(channel)+"/tags", nil, &answer)
	return answer.Tags, err
}

// AddTags adds tags to a channel; a bare name is that of a public channel.
func (c *Client) AddTags(ctx context.Context, channel string, tags []string) error {
	return c.call(ctx, http.MethodPost, channelPath(channel)+"/tags", struct {
		Tags []string `json:"tags"`
	}{tags}, nil)
}

// RemoveTag removes a tag from a channel.
func (c *Client) RemoveTag(ctx context.Context, channel, tag string) error {
	return c.call(ctx, http.MethodDelete, channelPath(channel)+"/tags/"+url.PathEscape(tag), nil, nil)
}
