package store_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"edict/e2e"
)

// TestFullFileSystem fills a small file system under the released program: publishing ends with 503, reading goes on, and
// once there is room again everything acknowledged is there and publishing works, without a restart.
func TestFullFileSystem(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=6m"); err != nil {
		t.Skipf("a file system of its own needs the right to mount one: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 2<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	server := e2e.StartBinary(t, "--only", "messaging", "--messaging-rate", "0", "--disk-reserve", "0", "--data", filepath.Join(dir, "data"))
	c := e2e.NewClient(t, server.URL, e2e.Tokens(filepath.Join(dir, "data"))(t, "alice"))
	c.Must("POST", "/channels", `{"channelName":"news"}`)
	acked := fillUp(t, c)
	if there := c.Items("news"); !containsAll(there, acked) {
		t.Errorf("%d items are there, %d were acknowledged", len(there), len(acked))
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	e2e.AwaitStatus(t, server.URL+"/readyz", http.StatusOK)
	acked = append(acked, e2e.MessageID(c.Must("POST", "/channels/news/items", `{"content":{"after":true}}`)))
	if there := c.Items("news"); !containsAll(there, acked) || len(there) != len(acked) {
		t.Errorf("%d items are there, %d were acknowledged", len(there), len(acked))
	}
	if err := server.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = server.Wait() // it was killed
	again := e2e.NewClient(t, e2e.StartBinary(t, "--only", "messaging", "--disk-reserve", "0", "--data", filepath.Join(dir, "data")).URL, c.Token)
	if there := again.Items("news"); !containsAll(there, acked) {
		t.Errorf("after the restart %d items are there, %d were acknowledged", len(there), len(acked))
	}
}

// fillUp publishes with several callers until each is refused.
func fillUp(t *testing.T, c *e2e.Client) (acked []string) {
	t.Helper()
	body := fmt.Sprintf(`{"content":{"pad":"%s"}}`, strings.Repeat("x", 5000))
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 10_000 {
				status, answer, err := c.Call("POST", "/channels/news/items", body)
				if err != nil {
					t.Error(err)
					return
				}
				if status != http.StatusCreated {
					if status != http.StatusServiceUnavailable || !strings.Contains(answer, `"code":77`) {
						t.Errorf("refused with %d %s", status, answer)
					}
					return
				}
				mu.Lock()
				acked = append(acked, e2e.MessageID(answer))
				mu.Unlock()
			}
			t.Error("the file system does not get full")
		})
	}
	wg.Wait()
	return acked
}

func containsAll(there, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(id string) bool { return !slices.Contains(there, id) })
}
