package main

import (
	"fmt"
	"net/url"
	"strings"
)

const (
	sse       = "sse"
	webSocket = "websocket"
)

// target is a server that is measured: edict or a peer. All speak HTTP/1.1 over plain TCP.
type target interface {
	name() string
	// process returns the id of the server's process, 0 when it cannot be known.
	process() int
	address() string
	// subscription returns what opens a stream of the channel that is measured.
	subscription(transport string) (subscription, error)
	// publication returns a request that publishes an item with this text to the channel.
	publication(text string) []byte
	stop()
}

// subscription is how a stream is opened: a request, frames that follow the answer over a WebSocket, and a text that comes when
// the stream is live.
type subscription struct {
	request []byte
	frames  []string
	ready   string
}

// request returns the bytes of a request.
func request(method, path, host, header, body string) []byte {
	return fmt.Appendf(nil, "%s %s HTTP/1.1\r\nHost: %s\r\n%sContent-Length: %d\r\n\r\n%s", method, path, host, header, len(body), body)
}

const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"

const jsonType = "Content-Type: application/json\r\n"

// peer is a server that runs already.
type peer struct {
	title      string
	host       string
	credential string
	pid        int
}

func (p *peer) name() string    { return p.title }
func (p *peer) process() int    { return p.pid }
func (p *peer) address() string { return p.host }
func (p *peer) stop()           {}

// newPeer reads NAME=URL.
func newPeer(arg string) (target, error) {
	name, at, _ := strings.Cut(arg, "=")
	u, err := url.Parse(at)
	if err != nil || u.Scheme != "http" || u.Port() == "" {
		return nil, fmt.Errorf("%q: give NAME=http://HOST:PORT", arg)
	}
	p := peer{title: name, host: u.Host, pid: listener(u.Port())}
	p.credential, _ = u.User.Password()
	switch name {
	case "centrifugo":
		return &centrifugo{p}, nil
	case "mercure":
		return &mercure{p}, nil
	case "ntfy":
		return &ntfy{p}, nil
	}
	return nil, fmt.Errorf("%q: peers are centrifugo, mercure and ntfy", name)
}

// centrifugo needs client.insecure, uni_sse.enabled and an API key, its credential.
type centrifugo struct{ peer }

func (c *centrifugo) subscription(transport string) (subscription, error) {
	if transport == sse {
		query := url.Values{"cf_connect": {`{"subs":{"bench":{}}}`}}.Encode()
		return subscription{request: request("GET", "/connection/uni_sse?"+query, c.host, "", ""), ready: `"connect"`}, nil
	}
	return subscription{
		request: request("GET", "/connection/websocket", c.host, upgrade, ""),
		frames:  []string{`{"id":1,"connect":{}}` + "\n" + `{"id":2,"subscribe":{"channel":"bench"}}`},
		ready:   `"id":2`,
	}, nil
}

func (c *centrifugo) publication(text string) []byte {
	return request("POST", "/api/publish", c.host, jsonType+"X-API-Key: "+c.credential+"\r\n", `{"channel":"bench","data":{"text":"`+text+`"}}`)
}

// mercure needs anonymous subscribers and a token that may publish, its credential. It has no WebSocket.
type mercure struct{ peer }

func (m *mercure) subscription(transport string) (subscription, error) {
	if transport != sse {
		return subscription{}, errNotOffered
	}
	return subscription{request: request("GET", "/.well-known/mercure?topic=bench", m.host, "", ""), ready: "\r\n\r\n"}, nil
}

func (m *mercure) publication(text string) []byte {
	header := "Content-Type: application/x-www-form-urlencoded\r\nAuthorization: Bearer " + m.credential + "\r\n"
	return request("POST", "/.well-known/mercure", m.host, header, "topic=bench&data="+url.QueryEscape(`{"text":"`+text+`"}`))
}

// ntfy needs visitor limits that do not matter; a credential is sent as a token.
type ntfy struct{ peer }

func (n *ntfy) authorization() string {
	if n.credential == "" {
		return ""
	}
	return "Authorization: Bearer " + n.credential + "\r\n"
}

func (n *ntfy) subscription(transport string) (subscription, error) {
	if transport == sse {
		return subscription{request: request("GET", "/bench/sse", n.host, n.authorization(), ""), ready: `"open"`}, nil
	}
	return subscription{request: request("GET", "/bench/ws", n.host, n.authorization()+upgrade, ""), ready: `"open"`}, nil
}

func (n *ntfy) publication(text string) []byte {
	return request("POST", "/bench", n.host, n.authorization(), text)
}
