// Package deploy_test runs what operators run: the alerts and the dashboard, reverse proxies in front of the server, a restore drill.
package deploy_test

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"edict/e2e"
)

const (
	root       = "../../"
	monitoring = "docs/guides/monitoring.md"
)

// read returns a file of the repository.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// tool returns the path of a program that other projects publish, and skips the test without it.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if path = filepath.Join("/usr/sbin", name); !isFile(path) {
			t.Skipf("%s is not installed", name)
		}
	}
	return path
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// dashboard returns the queries of the Grafana dashboard.
func dashboard(t *testing.T) []string {
	t.Helper()
	var parsed struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal([]byte(read(t, "deploy/grafana/edict.json")), &parsed); err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, panel := range parsed.Panels {
		if len(panel.Targets) == 0 {
			t.Errorf("the panel %q shows nothing", panel.Title)
		}
		for _, target := range panel.Targets {
			found = append(found, target.Expr)
		}
	}
	return found
}

type alert struct{ Alert, Expr string }

func alerts(t *testing.T) []alert {
	t.Helper()
	var parsed struct {
		Groups []struct{ Rules []alert }
	}
	if err := yaml.Unmarshal([]byte(read(t, "deploy/prometheus/rules.yaml")), &parsed); err != nil {
		t.Fatal(err)
	}
	var found []alert
	for _, group := range parsed.Groups {
		found = append(found, group.Rules...)
	}
	return found
}

var (
	metricUse = regexp.MustCompile(`\b((?:edict|process)_[a-z_]+)(?:\{([^}]*)\})?`)
	labelUse  = regexp.MustCompile(`(\w+)(?:=~|!~|!=|=)"`)
	grouping  = regexp.MustCompile(`\b(?:by|on|group_left) \(([^)]*)\)`)
)

// TestMetricsExist asks a server for every metric and label that the alerts and the dashboard use.
func TestMetricsExist(t *testing.T) {
	server := e2e.StartBinary(t, "--admin-listen", "127.0.0.1:0")
	if status, _ := get(t, http.DefaultClient, server.URL+"/healthz"); status != http.StatusOK {
		t.Fatalf("/healthz: %d", status)
	}
	text := string(e2e.MetricsOf(t, server))
	labels := map[string][]string{"job": nil, "instance": nil} // Prometheus adds both
	series := map[string]map[string]bool{}
	for line := range strings.Lines(text) {
		use := metricUse.FindStringSubmatch(line)
		if use == nil || strings.HasPrefix(line, "#") {
			continue
		}
		if series[use[1]] == nil {
			series[use[1]] = map[string]bool{"job": true, "instance": true}
		}
		for _, label := range labelUse.FindAllStringSubmatch(use[2], -1) {
			series[use[1]][label[1]] = true
			labels[label[1]] = append(labels[label[1]], use[1])
		}
	}
	queries := dashboard(t)
	for _, a := range alerts(t) {
		queries = append(queries, a.Expr)
	}
	if len(queries) < 20 {
		t.Fatalf("%d queries", len(queries))
	}
	for _, query := range queries {
		for _, use := range metricUse.FindAllStringSubmatch(query, -1) {
			known, exists := series[use[1]]
			if !exists {
				t.Errorf("%s: the server has no metric %s", query, use[1])
			}
			for _, label := range labelUse.FindAllStringSubmatch(use[2], -1) {
				if exists && !known[label[1]] {
					t.Errorf("%s: %s has no label %s", query, use[1], label[1])
				}
			}
		}
		for _, group := range grouping.FindAllStringSubmatch(query, -1) {
			for name := range strings.SplitSeq(group[1], ",") {
				if _, exists := labels[strings.TrimSpace(name)]; !exists {
					t.Errorf("%s: no metric has the label %s", query, name)
				}
			}
		}
	}
}

// TestMonitoringPage: the page explains every alert, and no other.
func TestMonitoringPage(t *testing.T) {
	page := read(t, monitoring)
	explained := regexp.MustCompile("(?m)^\\| `(Edict\\w+)`").FindAllStringSubmatch(page, -1)
	var named []string
	for _, row := range explained {
		named = append(named, row[1])
	}
	var want []string
	for _, a := range alerts(t) {
		want = append(want, a.Alert)
	}
	if !slices.Equal(named, want) {
		t.Errorf("the page explains the alerts\n%s\nthe rules have\n%s", named, want)
	}
	for _, use := range metricUse.FindAllStringSubmatch(page, -1) {
		if !strings.Contains(read(t, "deploy/prometheus/rules.yaml")+read(t, "deploy/grafana/edict.json"), use[1]) {
			t.Errorf("the page names %s, which neither the alerts nor the dashboard use", use[1])
		}
	}
}

// TestAlerts has promtool check the rules and run their tests, and check the scrape configuration of the page.
func TestAlerts(t *testing.T) {
	promtool := tool(t, "promtool")
	dir := t.TempDir()
	for name, text := range map[string]string{"rules.yaml": read(t, "deploy/prometheus/rules.yaml"), "prometheus.yaml": block(t, monitoring, "yaml", "rule_files")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, arguments := range [][]string{
		{"check", "rules", root + "deploy/prometheus/rules.yaml"},
		{"test", "rules", "testdata/rules.test.yaml"},
		{"check", "config", filepath.Join(dir, "prometheus.yaml")},
	} {
		if out, err := exec.CommandContext(t.Context(), promtool, arguments...).CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(arguments, " "), err, out)
		}
	}
	tests := read(t, "e2e/deploy/testdata/rules.test.yaml")
	for _, a := range alerts(t) {
		if strings.Count(tests, "alertname: "+a.Alert) < 2 {
			t.Errorf("no test has %s fire and be silent", a.Alert)
		}
	}
}
