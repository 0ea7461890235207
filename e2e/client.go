package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Client calls the messaging service of a process as one user.
type Client struct {
	t     *testing.T
	Base  string
	Token string
	HTTP  http.Client
}

// NewClient returns a client of the server at a URL, with a token.
func NewClient(t *testing.T, url, token string) *Client {
	c := &Client{t: t, Base: url + MessageAPI, Token: token, HTTP: http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 16}}}
	t.Cleanup(c.HTTP.CloseIdleConnections)
	return c
}

// Call sends a request and returns status and body; an error when there is no answer.
func (c *Client) Call(method, path, body string, headers ...string) (int, string, error) {
	request, err := http.NewRequest(method, c.Base+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	request.Header.Set("Authorization", "Bearer "+c.Token)
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := c.HTTP.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	return response.StatusCode, string(answer), err
}

// Must is a call that has to succeed; it returns the body.
func (c *Client) Must(method, path, body string, headers ...string) string {
	c.t.Helper()
	status, answer, err := c.Call(method, path, body, headers...)
	if err != nil || status >= 300 {
		c.t.Fatalf("%s %s: %d %s (%v)", method, path, status, answer, err)
	}
	return answer
}

// MessageID returns the messageId of an answer.
func MessageID(answer string) string {
	_, rest, _ := strings.Cut(answer, `"messageId":"`)
	id, _, _ := strings.Cut(rest, `"`)
	return id
}

// Items returns the ids of a channel's items in order.
func (c *Client) Items(channel string) []string {
	c.t.Helper()
	var ids []string
	for cursor := ""; ; {
		var page struct {
			Items      []struct{ ItemID string }
			NextCursor string
		}
		answer := c.Must("GET", "/channels/"+channel+"/items/fetch?size=1000&cursor="+cursor, "")
		if err := json.Unmarshal([]byte(answer), &page); err != nil {
			c.t.Fatal(err)
		}
		for _, item := range page.Items {
			ids = append(ids, item.ItemID)
		}
		if cursor = page.NextCursor; cursor == "" {
			return ids
		}
	}
}

// Await calls until it is satisfied.
func (c *Client) Await(what string, satisfied func() bool) {
	c.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !satisfied(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			c.t.Fatalf("%s did not happen", what)
		}
	}
}

// AwaitStatus waits until a URL is answered with a status.
func AwaitStatus(t *testing.T, url string, want int) {
	t.Helper()
	c := NewClient(t, "", "")
	c.Await(fmt.Sprintf("%d of %s", want, url), func() bool {
		response, err := c.HTTP.Get(url)
		if err != nil {
			return false
		}
		response.Body.Close()
		return response.StatusCode == want
	})
}
