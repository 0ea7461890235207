package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"testing"
)

// TestDashboard asks the server for every figure that the dashboard shows.
func TestDashboard(t *testing.T) {
	raw, err := os.ReadFile("../docs/grafana/messaging.json")
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(raw) {
		t.Fatal("the dashboard is not JSON")
	}
	server := StartBinary(t, "--admin-listen", "127.0.0.1:0")
	token := Tokens(server.Data)(t, "alice")
	call(t, "POST", server.URL+"/message/api/v2/channels", token, "application/json", `{"channelName":"news"}`)
	metrics := metricsOf(t, server)
	for _, name := range regexp.MustCompile(`edict_[a-z_]+`).FindAll(raw, -1) {
		if !bytes.Contains(metrics, append([]byte("\n"), name...)) {
			t.Errorf("the dashboard shows %s, which the server does not have", name)
		}
	}
}
