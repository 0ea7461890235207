package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"
)

// Published is an item of a channel.
type Published struct {
	ID        string `json:"itemId"`
	Channel   string `json:"channelName"`
	Publisher struct {
		UserID   string `json:"userId"`
		DeviceID string `json:"deviceId"` // "" for none
	} `json:"publisher"`
	Content  json.RawMessage `json:"content"`
	MetaData struct {
		CreationDate time.Time  `json:"creationDate"`
		EditedDate   *time.Time `json:"editedDate"` // of the latest correction, nil for none
		MessageType  string     `json:"messageType"`
		ContentType  string     `json:"contentType"`
	} `json:"metaData"`
}

// Fetch is a range of the items of a channel. A cursor carries range and order along.
type Fetch struct {
	Since, Until time.Time // zero for an open end
	Newest       bool      // the newest first
	Cursor       string
	Size         int // 0: the server's default
}

// Items returns a page of the items of a channel and the cursor of the next page, "" at the end.
func (c *Client) Items(ctx context.Context, channel string, f Fetch) (items []Published, next string, err error) {
	query := pageQuery(f.Cursor, f.Size)
	for name, t := range map[string]time.Time{"since": f.Since, "until": f.Until} {
		if !t.IsZero() {
			query.Set(name, t.UTC().Format(time.RFC3339Nano))
		}
	}
	if f.Newest && f.Cursor == "" {
		query.Set("sort_order", "DESC")
	}
	var answer struct {
		Items      []Published
		NextCursor string
	}
	err = c.call(ctx, http.MethodGet, channelPath(channel)+"/items/fetch?"+query.Encode(), nil, &answer)
	return answer.Items, answer.NextCursor, err
}

// ItemsByID returns those of up to 1000 items that a channel has, in the order of the ids.
func (c *Client) ItemsByID(ctx context.Context, channel string, ids []string) ([]Published, error) {
	var answer struct{ Items []Published }
	err := c.call(ctx, http.MethodGet, channelPath(channel)+"/items?"+url.Values{"id": ids}.Encode(), nil, &answer)
	return answer.Items, err
}

// Correct replaces the content of an item that the caller published; of its types, those that are given.
func (c *Client) Correct(ctx context.Context, channel, id string, item Item) error {
	return c.call(ctx, http.MethodPut, channelPath(channel)+"/items/"+url.PathEscape(id), item, nil)
}

// MarkRead says that the caller, who is subscribed, has read a channel up to an item. It never goes back.
func (c *Client) MarkRead(ctx context.Context, channel, id string) error {
	return c.call(ctx, http.MethodPut, channelPath(channel)+"/read", struct {
		UpTo string `json:"upTo"`
	}{id}, nil)
}

// DeleteItems deletes items and returns the ids that were no items of the channel. It is for the owner.
func (c *Client) DeleteItems(ctx context.Context, channel string, ids []string) (unknown []string, err error) {
	var answer map[string]int
	err = c.call(ctx, http.MethodDelete, channelPath(channel)+"/items?"+url.Values{"id": ids}.Encode(), nil, &answer)
	for _, id := range ids {
		if answer[id] == http.StatusNotFound {
			unknown = append(unknown, id)
		}
	}
	return unknown, err
}

// DeleteAllItems deletes all items of a channel; a bare name is that of a public channel. Only the owner may do it.
func (c *Client) DeleteAllItems(ctx context.Context, channel string) error {
	return c.call(ctx, http.MethodDelete, channelPath(channel)+"/items/all", nil, nil)
}
