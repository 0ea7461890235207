package server_test

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"edict/e2e"
)

// TestDashboard asks the server for every figure that the dashboard shows.
func TestDashboard(t *testing.T) {
	raw, err := os.ReadFile("../../docs/grafana/messaging.json")
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(raw) {
		t.Fatal("the dashboard is not JSON")
	}
	server := e2e.StartBinary(t, "--admin-listen", "127.0.0.1:0")
	token := e2e.Tokens(server.Data)(t, "alice")
	e2e.Call(t, "POST", server.URL+"/message/api/v2/channels", token, "application/json", `{"channelName":"news"}`)
	metrics := e2e.MetricsOf(t, server)
	for _, name := range regexp.MustCompile(`edict_[a-z_]+`).FindAll(raw, -1) {
		if !bytes.Contains(metrics, append([]byte("\n"), name...)) {
			t.Errorf("the dashboard shows %s, which the server does not have", name)
		}
	}
}
