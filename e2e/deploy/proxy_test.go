package deploy_test

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"edict/e2e"
)

const production = "docs/guides/production.md"

// TestNginx runs the nginx configuration of the page.
func TestNginx(t *testing.T) {
	nginx := tool(t, "nginx")
	testProxy(t, func(dir, address, upstream, cert, key string) *exec.Cmd {
		site := block(t, production, "nginx", "proxy_pass")
		site = replace(t, site, "listen 443 ssl http2;", "listen "+address+" ssl http2;")
		site = replace(t, site, "listen [::]:443 ssl http2;", "")
		site = replace(t, site, "/etc/nginx/edict.crt", cert)
		site = replace(t, site, "/etc/nginx/edict.key", key)
		site = replace(t, site, "server 127.0.0.1:8080;", "server "+upstream+";")
		site = replace(t, site, "server_name edict.example.org;", "server_name 127.0.0.1;")
		config := "daemon off; worker_processes 1; error_log stderr; pid " + dir + "/nginx.pid;\nevents {}\nhttp {\naccess_log off;\n"
		if os.Getuid() == 0 {
			config = "user root;\n" + config
		}
		for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
			config += kind + "_temp_path " + filepath.Join(dir, kind) + ";\n"
		}
		write(t, filepath.Join(dir, "nginx.conf"), config+site+"}\n")
		return exec.Command(nginx, "-p", dir, "-c", filepath.Join(dir, "nginx.conf"))
	})
}

// TestCaddy runs the Caddy configuration of the page.
func TestCaddy(t *testing.T) {
	caddy := tool(t, "caddy")
	testProxy(t, func(dir, address, upstream, cert, key string) *exec.Cmd {
		site := block(t, production, "caddy", "reverse_proxy")
		site = replace(t, site, "edict.example.org {", "https://"+address+" {\n\ttls "+cert+" "+key)
		site = replace(t, site, "127.0.0.1:8080", upstream)
		write(t, filepath.Join(dir, "Caddyfile"), "{\n\tadmin off\n\tauto_https off\n\tstorage file_system "+dir+"/storage\n}\n"+site)
		cmd := exec.Command(caddy, "run", "--adapter", "caddyfile", "--config", filepath.Join(dir, "Caddyfile"))
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
		return cmd
	})
}

// TestBalancer runs the Caddy configuration of the cluster with three nodes, of which one is killed: every request is answered.
func TestBalancer(t *testing.T) {
	caddy := tool(t, "caddy")
	site := read(t, "deploy/Caddyfile")
	var nodes []*e2e.Process
	for _, name := range []string{"a", "b", "c"} {
		node := e2e.StartBinary(t, "--only", "simulation")
		site = replace(t, site, name+":8080", strings.TrimPrefix(node.URL, "http://"))
		nodes = append(nodes, node)
	}
	address, dir := freeAddress(t), t.TempDir()
	site = replace(t, site, "\n:8080 {", "\nhttp://"+address+" {")
	write(t, filepath.Join(dir, "Caddyfile"), "{\n\tadmin off\n}\n"+site)
	cmd := exec.Command(caddy, "run", "--adapter", "caddyfile", "--config", filepath.Join(dir, "Caddyfile"))
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	startProxy(t, cmd, address)
	for range 2 {
		for range 12 {
			if status, body := get(t, http.DefaultClient, "http://"+address+"/spec"); status != http.StatusOK {
				t.Fatalf("%d %s", status, body)
			}
		}
		if err := nodes[1].Signal(syscall.SIGKILL); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		_ = nodes[1].Wait()
	}
}

// TestProductionSettings checks the settings of the page.
func TestProductionSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "edict.yaml")
	write(t, file, block(t, production, "yaml", "public-url"))
	e2e.Run(t, "", "config", "check", file)
}

// replace gives a configuration of the page the addresses and files of a test.
func replace(t *testing.T, config, from, to string) string {
	t.Helper()
	if !strings.Contains(config, from) {
		t.Fatalf("the configuration lacks %q:\n%s", from, config)
	}
	return strings.ReplaceAll(config, from, to)
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// testProxy starts a server behind a proxy: requests, uploads, both kinds of streams and the client's address pass it.
func testProxy(t *testing.T, command func(dir, address, upstream, cert, key string) *exec.Cmd) {
	if runtime.GOOS != "linux" {
		t.Skip("the client's second loopback address needs Linux")
	}
	address := freeAddress(t)
	url := "https://" + address
	server := e2e.StartBinary(t, "--proxies", "127.0.0.1", "--public-url", url, "--messaging-heartbeat", "1s", "--log-access", "all")
	dir := t.TempDir()
	roots := certificate(t, dir)
	startProxy(t, command(dir, address, strings.TrimPrefix(server.URL, "http://"), filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")), address)

	config := &tls.Config{RootCAs: roots}
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}} // differs from the address of the proxy in the log
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: config, DialContext: dialer.DialContext}, Timeout: time.Minute}
	defer client.CloseIdleConnections()
	if status, body := get(t, client, url+"/readyz"); status != http.StatusOK {
		t.Fatalf("/readyz: %d %s", status, body)
	}
	if _, body := get(t, client, url+"/.well-known/openid-configuration"); !strings.Contains(body, url+"/auth/") {
		t.Errorf("links do not begin with %s: %s", url, body)
	}
	e2e.AwaitText(t, server.Stderr, "remote=127.0.0.2") // X-Forwarded-For reached the server and is trusted

	token := e2e.Tokens(server.Data)(t, "ann")
	send(t, client, http.MethodPost, url+"/message/api/v2/channels", token, `{"channelName":"news"}`)
	send(t, client, http.MethodPut, url+"/message/api/v2/channels/news/subscribe", token, "")
	events := openEvents(t, client, url, token)
	frames := openWebSocket(t, config, "wss://"+address, token)

	text := strings.Repeat("x", 3<<19) // more than the 1 MiB that nginx allows by default
	send(t, client, http.MethodPost, url+"/message/api/v2/channels/news/items", token, `{"content":{"title":"Hello","text":"`+text+`"}}`)
	line := events(`data: {"channelName":"news"`)
	if !strings.Contains(line, text) {
		t.Errorf("the event has %d bytes", len(line))
	}
	frames(`"title":"Hello"`)
	for range 2 { // an idle stream passes without delay too
		events(":")
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// certificate writes cert.pem and key.pem for 127.0.0.1.
func certificate(t *testing.T, dir string) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "127.0.0.1"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	encoded := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})
	write(t, filepath.Join(dir, "cert.pem"), string(encoded))
	write(t, filepath.Join(dir, "key.pem"), string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: private})))
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(encoded)
	return roots
}

// output collects what a process writes while it runs.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// startProxy starts a proxy, waits until it accepts connections and stops it with the test.
func startProxy(t *testing.T, cmd *exec.Cmd, address string) {
	t.Helper()
	var out output
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(10 * time.Second): // Caddy waits for open streams
			_ = cmd.Process.Kill()
			<-ended
		}
		if t.Failed() {
			t.Logf("%s wrote:\n%s", cmd.Path, out.String())
		}
	})
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
			return
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("%s ended: %v\n%s", cmd.Path, err, out.String())
		default:
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not listen: %v\n%s", cmd.Path, err, out.String())
		}
	}
}

// send sends a request that has to succeed.
func send(t *testing.T, client *http.Client, method, url, token, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 300 {
		t.Fatalf("%s: %s", url, answer.Status)
	}
}

// openEvents opens a stream of Server-Sent Events that is ready and returns a function that waits for a line with a beginning.
func openEvents(t *testing.T, client *http.Client, url, token string) func(prefix string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/message/api/v2/events", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("the stream is answered %s", answer.Status)
	}
	lines := bufio.NewReader(answer.Body)
	until := func(prefix string) string {
		t.Helper()
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatalf("the stream ended before %q: %v", prefix, err)
			}
			if strings.HasPrefix(line, prefix) {
				return line
			}
		}
	}
	until("event: ready")
	return until
}

// openWebSocket opens a WebSocket that is ready and returns a function that waits for a frame with a text.
func openWebSocket(t *testing.T, config *tls.Config, url, token string) func(text string) {
	t.Helper()
	dialer := websocket.Dialer{TLSClientConfig: config, HandshakeTimeout: 20 * time.Second}
	conn, answer, err := dialer.DialContext(t.Context(), url+"/message/api/v2/events", http.Header{"Authorization": {"Bearer " + token}})
	if err != nil {
		t.Fatalf("the WebSocket does not open: %v, %s", err, fmt.Sprint(answer))
	}
	answer.Body.Close()
	t.Cleanup(func() { conn.Close() })
	until := func(text string) {
		t.Helper()
		_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
		for {
			_, frame, err := conn.ReadMessage()
			if err != nil {
				t.Fatalf("the WebSocket ended before %q: %v", text, err)
			}
			if bytes.Contains(frame, []byte(text)) {
				return
			}
		}
	}
	until(`"event":"ready"`)
	return until
}
