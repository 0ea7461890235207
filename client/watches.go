package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const watchPrefix = "/watch/api/v1"

// Watch is a household that the caller left with the server. docs/guides/watches.md explains.
type Watch struct {
	ID        string        `json:"id"`
	Period    string        `json:"period"`
	Locale    string        `json:"locale"`
	ExpiresAt time.Time     `json:"expiresAt"`
	Figures   []WatchFigure `json:"figures"`
}

// WatchFigure is a figure of a watch, under the law in force when it was computed.
type WatchFigure struct {
	Variable string  `json:"variable"`
	Index    int     `json:"index"`
	Label    string  `json:"label"`
	Value    float64 `json:"value"`
}

// WatchRun is a run over all watches.
type WatchRun struct {
	ID       string          `json:"id"`
	State    string          `json:"state"`
	Watches  int64           `json:"watches"`
	Computed int64           `json:"computed"`
	Told     *int64          `json:"told"` // about how many accounts are to be notified; nil where that is not shown
	Sent     *int64          `json:"sent"` // Told, once the run is sent
	Report   json.RawMessage `json:"report"`
	Failure  string          `json:"failure"`
}

// UnderWay reports whether the server works at the run.
func (r *WatchRun) UnderWay() bool { return r.State == "computing" || r.State == "sending" }

// Watches returns the caller's watches, without their households.
func (c *Client) Watches(ctx context.Context) ([]Watch, error) {
	var answer struct {
		Watches []Watch `json:"watches"`
	}
	err := c.call(ctx, http.MethodGet, watchPrefix+"/watches", nil, &answer)
	return answer.Watches, err
}

// StartRun starts a run, which is JSON as POST /watch/api/v1/runs takes it. For admins, as what follows.
func (c *Client) StartRun(ctx context.Context, run json.RawMessage) (r WatchRun, err error) {
	err = c.call(ctx, http.MethodPost, watchPrefix+"/runs", run, &r)
	return r, err
}

// Run returns where a run is.
func (c *Client) Run(ctx context.Context, id string) (r WatchRun, err error) {
	err = c.call(ctx, http.MethodGet, watchPrefix+"/runs/"+url.PathEscape(id), nil, &r)
	return r, err
}

// SendRun has the messages of a run sent. It may be repeated: nobody is told twice.
func (c *Client) SendRun(ctx context.Context, id string) (r WatchRun, err error) {
	err = c.call(ctx, http.MethodPost, watchPrefix+"/runs/"+url.PathEscape(id)+"/send", nil, &r)
	return r, err
}

// watchFailure is what an error of watches says, whose shape is that of /api/1: the message, and what is wrong where; "" for other errors.
func watchFailure(raw []byte) string {
	var body struct {
		Error struct {
			Message string
			Errors  []json.RawMessage
		} `json:"error"`
	}
	if json.Unmarshal(raw, &body) != nil || body.Error.Message == "" {
		return ""
	}
	said := []string{body.Error.Message}
	for _, tree := range body.Error.Errors {
		said = append(said, string(tree))
	}
	return strings.Join(said, ": ")
}
