package server_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"edict/e2e"
)

// TestMalformedRequests: requests that cannot be read are answered with JSON, in the shape of the service they are for.
func TestMalformedRequests(t *testing.T) {
	server := e2e.Start(t, e2e.Options{})
	e2e.AwaitReady(t, server.URL)
	token := e2e.Tokens(server.Data)(t, "alice")
	const rest = " HTTP/1.1\r\nHost: edict.example\r\n"
	for name, test := range map[string]struct {
		request string
		status  int
		want    string
	}{
		"messaging":       {"GET " + e2e.MessageAPI + "/channels/%" + rest + "Authorization: Bearer " + token + "\r\n\r\n", 400, `{"code":31,"message":"the request cannot be read: invalid URL escape \"%\" in its path; write a percent sign as %25"}`},
		"without a token": {"DELETE " + e2e.MessageAPI + "/channels/a%zz" + rest + "\r\n", 400, `{"code":31,"message":"the request cannot be read: invalid URL escape \"%zz\" in its path; write a percent sign as %25"}`},
		"closing":         {"GET " + e2e.MessageAPI + "/channels/%" + rest + "Connection: close\r\n\r\n", 400, `"code":31`},
		"simulation":      {"GET /api/1/variables/%" + rest + "Origin: https://page.example\r\n\r\n", 400, `{"apiVersion":1`},
		"OpenFisca's":     {"GET /variable/%" + rest + "\r\n", 400, `invalid URL escape`},
		"absolute":        {"GET http://edict.example" + e2e.MessageAPI + "/channels/%" + rest + "\r\n", 400, `"code":31`},
		"of nobody":       {"GET /%" + rest + "\r\n", 400, `{"error":"invalid","message":"the request cannot be read`},
		"without a host":  {"GET " + e2e.MessageAPI + "/channels HTTP/1.1\r\n\r\n", 400, `{"code":31,"message":"the request cannot be read: missing required Host header"}`},
		"two hosts":       {"GET " + e2e.MessageAPI + "/channels" + rest + "Host: other.example\r\n\r\n", 400, `"code":31`},
		"header":          {"GET " + e2e.MessageAPI + "/channels" + rest + "Bad Name: x\r\n\r\n", 400, `"code":31`},
		"length":          {"POST " + e2e.MessageAPI + "/channels" + rest + "Content-Length: x\r\n\r\n", 400, `"code":31`},
		"encoding":        {"POST " + e2e.MessageAPI + "/channels" + rest + "Transfer-Encoding: gzip\r\n\r\n", 501, `transfer encoding`},
		"version":         {"GET " + e2e.MessageAPI + "/channels HTTP/3.7\r\nHost: x\r\n\r\n", 505, `"message":`},
		"large":           {"GET " + e2e.MessageAPI + "/channels" + rest + "X: " + strings.Repeat("x", 1<<20) + "\r\n\r\n", 431, `"code":60`},
		"no HTTP":         {"hello, is there anybody?\r\n\r\n", 400, `{"error":"invalid","message":"the request cannot be read`},
	} {
		t.Run(name, func(t *testing.T) {
			resp, body := dialRaw(t, server.URL).exchange(test.request)
			if resp.StatusCode != test.status || !strings.Contains(body, test.want) {
				t.Errorf("%s %s, want %d %s", resp.Status, body, test.status, test.want)
			}
			if !json.Valid([]byte(body)) || !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") || resp.Header.Get("X-Request-Id") == "" || !resp.Close {
				t.Errorf("%v %s", resp.Header, body)
			}
			if origin := resp.Header.Get("Access-Control-Allow-Origin"); (origin != "") != (name == "simulation") {
				t.Errorf("allowed origin %q", origin)
			}
		})
	}
}

// TestMalformedAfterAnswers: a connection may have answered requests before, in either server.
func TestMalformedAfterAnswers(t *testing.T) {
	server := e2e.Start(t, e2e.Options{})
	for _, header := range []string{"", "Keep-Alive: 5\r\n"} {
		conn := dialRaw(t, server.URL)
		for range 3 {
			if resp, body := conn.exchange("GET /healthz HTTP/1.1\r\nHost: edict.example\r\n" + header + "\r\n"); resp.StatusCode != http.StatusOK {
				t.Errorf("%s %s", resp.Status, body)
			}
		}
		if resp, body := conn.exchange("GET " + e2e.MessageAPI + "/channels/% HTTP/1.1\r\nHost: edict.example\r\n\r\n"); resp.StatusCode != http.StatusBadRequest || !strings.Contains(body, `"code":31`) {
			t.Errorf("%s %s", resp.Status, body)
		}
		if _, err := conn.in.ReadByte(); err != io.EOF {
			t.Errorf("the connection stays open: %v", err)
		}
	}
}

// rawConn is a connection to a server.
type rawConn struct {
	net.Conn
	t  *testing.T
	in *bufio.Reader
}

func dialRaw(t *testing.T, url string) *rawConn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &rawConn{conn, t, bufio.NewReader(conn)}
}

// exchange writes a request and reads the answer.
func (c *rawConn) exchange(text string) (*http.Response, string) {
	c.t.Helper()
	go func() { _, _ = io.WriteString(c, text) }() // what is too large is not read to its end
	resp, err := http.ReadResponse(c.in, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return resp, string(body)
}
