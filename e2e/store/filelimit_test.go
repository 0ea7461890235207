//go:build linux

package store_test

import (
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"edict/e2e"
)

// TestDiskFull runs the released program where files may grow to 2 MiB only: publishing ends with 503 and code 77, the
// server says so in its readiness, reading goes on, and what was acknowledged is there.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	e2e.NeedCommands(t, "sh")
	server := e2e.StartProcess(t, exec.Command("sh", "-c", `ulimit -f 4096; exec "$0" "$@"`, e2e.Binary(t)), []string{"--only", "messaging"})
	c := e2e.NewClient(t, server.URL, e2e.Tokens(server.Data)(t, "alice"))
	c.Must("POST", "/channels", `{"channelName":"news"}`)
	item := `{"content":{"text":"` + strings.Repeat("x", 10_000) + `"}}`
	var acked []string
	for len(acked) < 1000 {
		status, answer, err := c.Call("POST", "/channels/news/items", item)
		if err != nil {
			t.Fatal(err)
		}
		if status == http.StatusCreated {
			acked = append(acked, e2e.MessageID(answer))
			continue
		}
		if status != http.StatusServiceUnavailable || !strings.Contains(answer, `"code":77`) || !strings.Contains(answer, `"status":"ERROR"`) {
			t.Fatalf("publish on a full disk: %d %s", status, answer)
		}
		break
	}
	if there := c.Items("news"); len(acked) == 0 || len(there) != len(acked) {
		t.Errorf("%d items are there, %d were acknowledged", len(there), len(acked))
	}
	response, err := http.Get(server.URL + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a server that cannot write is ready: %d", response.StatusCode)
	}
}
