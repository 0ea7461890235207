package realtime_test

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// rawWS opens a WebSocket and returns the connection behind it.
func rawWS(t testing.TB, url string, header ...string) (net.Conn, *bufio.Reader, *http.Response) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(patience))
	r := request(&fixture{TB: t}, "GET", url+eventsPath, "ann", append([]string{
		"Connection: keep-alive, Upgrade", "Upgrade: WebSocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="}, header...)...)
	if err := r.Write(conn); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	resp, err := http.ReadResponse(in, r)
	if err != nil {
		t.Fatal(err)
	}
	return conn, in, resp
}

// TestHandshake answers as RFC 6455 shows, and refuses what it cannot understand.
func TestHandshake(t *testing.T) {
	f := setUp(t, settings{})
	_, _, resp := rawWS(t, f.url)
	if got := resp.Header.Get("Sec-WebSocket-Accept"); resp.StatusCode != 101 || got != "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" {
		t.Errorf("%s %q", resp.Status, got)
	}
	for _, header := range []string{"Sec-WebSocket-Version: 8", "Sec-WebSocket-Key: c2hvcnQ=", "Sec-WebSocket-Key: %"} {
		_, _, resp := rawWS(t, f.url, header)
		if resp.StatusCode != 400 || resp.Header.Get("Sec-WebSocket-Version") != "13" {
			t.Errorf("%s: %s", header, resp.Status)
		}
	}
}

// masked makes a client's frame.
func masked(first byte, payload string) string {
	b := []byte{first}
	switch n := len(payload); {
	case n < 126:
		b = append(b, 0x80|byte(n))
	case n < 1<<16:
		b = binary.BigEndian.AppendUint16(append(b, 0x80|126), uint16(n))
	default:
		b = binary.BigEndian.AppendUint64(append(b, 0x80|127), uint64(n))
	}
	mask := [4]byte{1, 2, 3, 4}
	b = append(b, mask[:]...)
	for i := range len(payload) {
		b = append(b, payload[i]^mask[i&3])
	}
	return string(b)
}

// TestClientFrames: what a client may send is served, in parts as well, and what it may not ends the stream with the code of RFC 6455.
func TestClientFrames(t *testing.T) {
	f := setUp(t, settings{wait: time.Hour})
	resume, odd := `{"type":"resume"}`, `{"type":"dance"}`
	long := `{"type":"dance","pad":"` + strings.Repeat("x", 200) + `"}`
	for name, test := range map[string]struct {
		bytes string
		want  string // in what comes
		code  uint16 // of the end; 0 when the stream goes on
	}{
		"text":                   {masked(0x81, resume), `"ready"`, 0},
		"binary":                 {masked(0x82, resume), `"ready"`, 0},
		"one byte at a time":     {masked(0x01, resume[:1]) + masked(0x00, resume[1:2]) + masked(0x80, resume[2:]), `"ready"`, 0},
		"a ping between parts":   {masked(0x01, resume[:5]) + masked(0x89, "hi") + masked(0x80, resume[5:]), "\x8a\x02hi", 0},
		"a pong nobody asked":    {masked(0x8a, "") + masked(0x81, resume), `"ready"`, 0},
		"a long message":         {masked(0x81, long), "dance", 0},
		"two in one packet":      {masked(0x81, resume) + masked(0x81, odd), "dance", 0},
		"close":                  {masked(0x88, "\x03\xe8bye"), "", 1000},
		"close without a reason": {masked(0x88, ""), "", 1000},
		"not masked":             {"\x81\x02{}", "", 1002},
		"reserved bit":           {masked(0xc1, resume), "", 1002},
		"reserved opcode":        {masked(0x83, resume), "", 1002},
		"control in parts":       {masked(0x09, ""), "", 1002},
		"a long ping":            {masked(0x89, strings.Repeat("x", 126)), "", 1002},
		"a part of nothing":      {masked(0x80, "x"), "", 1002},
		"text inside parts":      {masked(0x01, "x") + masked(0x81, "y"), "", 1002},
		"too large":              {masked(0x81, strings.Repeat("x", 5000)), "", 1009},
		"too large in parts":     {masked(0x01, strings.Repeat("x", 3000)) + masked(0x80, strings.Repeat("x", 3000)), "", 1009},
		"a length of 2^63":       {"\x81\xff\x80\x00\x00\x00\x00\x00\x00\x00", "", 1009},
	} {
		t.Run(name, func(t *testing.T) {
			conn, in, _ := rawWS(t, f.url)
			for i := range len(test.bytes) { // in the smallest pieces there can be
				if _, err := io.WriteString(conn, test.bytes[i:i+1]); err != nil {
					break // refused before its end
				}
			}
			if test.code == 0 {
				awaitText(t, in, test.want)
				return
			}
			all, _ := io.ReadAll(in) // a reset may follow the last words
			if len(all) < 4 || all[0] != 0x88 || binary.BigEndian.Uint16(all[2:]) != test.code {
				t.Errorf("the end is %q, want %d", all, test.code)
			}
		})
	}
}

func awaitText(t *testing.T, in io.Reader, want string) {
	t.Helper()
	seen := ""
	for b := make([]byte, 512); !strings.Contains(seen, want); {
		n, err := in.Read(b)
		if seen += string(b[:n]); err != nil {
			t.Fatalf("%v after %q, want %q", err, seen, want)
		}
	}
}

// FuzzClientBytes sends a WebSocket stream any bytes, frames or not: it ends, and says so, or it waits for more.
func FuzzClientBytes(f *testing.F) {
	for _, seed := range []string{"", masked(0x81, `{"type":"resume"}`), masked(0x01, "x"), masked(0x88, ""), "\x81\xff\x80", strings.Repeat("\x89\x80\x00\x00\x00\x00", 50)} {
		f.Add([]byte(seed))
	}
	url := setUp(f, settings{}).url
	f.Fuzz(func(t *testing.T, bytes []byte) {
		conn, in, _ := rawWS(t, url)
		_, _ = conn.Write(bytes) // it may be refused in the middle
		_ = conn.(*net.TCPConn).CloseWrite()
		if _, err := io.ReadAll(in); err != nil && strings.Contains(err.Error(), "timeout") {
			t.Errorf("the stream does not end: %v", err)
		}
	})
}
