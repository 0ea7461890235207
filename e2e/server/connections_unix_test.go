//go:build unix

package server_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"edict/e2e"
)

// The connections of strangers: the released program cuts those that do everything slowly, and always has some for others.

// startFew starts the program with few open files.
func startFew(t *testing.T, files int, args ...string) *e2e.Process {
	t.Helper()
	shell := exec.Command("/bin/sh", "-c", fmt.Sprintf(`ulimit -n %d && exec "$0" "$@"`, files), e2e.Binary(t))
	return e2e.StartProcess(t, shell, append([]string{"--only", "messaging", "--messaging-rate", "0"}, args...))
}

// from connects from an address of this machine.
func from(t *testing.T, address, url string) net.Conn {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}, Timeout: time.Minute}
	conn, err := dialer.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		if errors.Is(err, syscall.EADDRNOTAVAIL) {
			t.Skipf("this machine has one loopback address only: %v", err)
		}
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(time.Minute)) // so that a test that hangs ends
	return conn
}

// ask sends a request and returns the status of the answer; 0 when none came.
func ask(conn net.Conn, request string) int {
	_, _ = io.WriteString(conn, request)
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0
	}
	return answer.StatusCode
}

const health = "GET /healthz HTTP/1.1\r\nHost: edict.example\r\n\r\n"

// TestConnectionsPerAddress has one address open far more connections than the program may have files, idle ones and streams: it gets a share, and
// another address is served throughout.
func TestConnectionsPerAddress(t *testing.T) {
	const files = 256
	for _, what := range []string{"connections", "streams"} {
		t.Run(what, func(t *testing.T) {
			server := startFew(t, files)
			request := health
			if what == "streams" {
				request = "GET " + e2e.MessageAPI + "/events HTTP/1.1\r\nHost: edict.example\r\nAuthorization: Bearer " + e2e.Tokens(server.Data)(t, "mallory") + "\r\n\r\n"
			}
			served := 0
			for i := range 2 * files {
				if ask(from(t, "127.0.0.2", server.URL), request) == http.StatusOK {
					served++
				}
				if i%16 == 0 {
					if status := ask(from(t, "127.0.0.1", server.URL), health); status != http.StatusOK {
						t.Fatalf("with %d connections of another address: %d", i+1, status)
					}
				}
			}
			if served == 0 || served > files/2 {
				t.Errorf("one address got %d of %d connections", served, files)
			}
		})
	}
}

// TestSlowClients has clients send heads and bodies byte by byte, and read answers that do not fit into any buffer bit by bit: each is cut.
func TestSlowClients(t *testing.T) {
	server := startFew(t, 256, "--limits-read-header", "300ms", "--limits-read", "300ms", "--limits-write", "300ms")
	token := e2e.Tokens(server.Data)(t, "mallory")
	authorized := " HTTP/1.1\r\nHost: edict.example\r\nAuthorization: Bearer " + token + "\r\n"
	for name, request := range map[string]string{
		"head":   "GET /healthz HTTP/1.1\r\n",
		"body":   "POST " + e2e.MessageAPI + "/channels" + authorized + "Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n",
		"chunks": "POST " + e2e.MessageAPI + "/channels" + authorized + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			conn := from(t, "127.0.0.2", server.URL)
			ended := make(chan error, 1)
			go func() {
				_, err := io.Copy(io.Discard, conn)
				ended <- err
			}()
			_, err := io.WriteString(conn, request)
			for i := 0; err == nil; i++ {
				select {
				case err = <-ended:
					if errors.Is(err, os.ErrDeadlineExceeded) {
						t.Error("it was not cut")
					}
					return
				case <-time.After(20 * time.Millisecond): // which is what makes it slow
					_, err = io.WriteString(conn, "X: y\r\n"[i%6:i%6+1])
				}
			}
			if errors.Is(err, os.ErrDeadlineExceeded) {
				t.Error("it was not cut")
			}
		})
	}
	t.Run("answers", func(t *testing.T) {
		base := server.URL + e2e.MessageAPI
		e2e.Call(t, "POST", base+"/channels", token, "application/json", `{"channelName":"large"}`)
		const items, size, times = 6, 1 << 20, 20
		for range items {
			e2e.Call(t, "POST", base+"/channels/large/items", token, "application/json", `{"content":{"text":"`+strings.Repeat("x", size)+`"}}`)
		}
		conn := from(t, "127.0.0.2", server.URL)
		_ = conn.(*net.TCPConn).SetReadBuffer(64 << 10)
		_, _ = io.WriteString(conn, strings.Repeat("GET "+e2e.MessageAPI+"/channels/large/items/fetch?size=6"+authorized+"\r\n", times))
		got := 0
		for part := make([]byte, 64<<10); ; {
			n, err := conn.Read(part)
			got += n
			if err != nil {
				if errors.Is(err, os.ErrDeadlineExceeded) {
					t.Error("it was not cut")
				}
				break
			}
			<-time.After(10 * time.Millisecond) // 6 MB in a second at the most
		}
		if got == 0 || got >= items*size*times {
			t.Errorf("%d bytes came", got)
		}
	})
	if status := ask(from(t, "127.0.0.1", server.URL), health); status != http.StatusOK {
		t.Errorf("others: %d", status)
	}
}
