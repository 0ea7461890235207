package simulation_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"edict/e2e"
)

// TestGreedyPackage: formulas that would take all memory or all of the stack end with an error that names their line,
// and nothing else: the server goes on, within its memory.
func TestGreedyPackage(t *testing.T) {
	server := e2e.StartBinary(t, "--country", filepath.Join(e2e.UnpackCountry(t, "testdata/greedy/package.txtar"), "greedy"),
		"--limits-memory", "512MiB", "--simulation-values", "100000", "--simulation-answer", "32MiB")
	e2e.AwaitReady(t, server.URL)
	ask := func(variable string) (int, string) {
		body := fmt.Sprintf(`{"persons": {"p": {%q: {"2024-01": null}}}, "houses": {"h": {"members": ["p"]}}}`, variable)
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/calculate", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatalf("%s: %v", variable, err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatalf("%s: %v", variable, err)
		}
		return answer.StatusCode, string(text)
	}
	place := regexp.MustCompile(`variables\.py:[0-9]+`)
	for _, variable := range []string{"held", "outer", "text", "deep", "digits", "doubled"} {
		if status, text := ask(variable); status < 400 || status >= 500 || !place.MatchString(text) {
			t.Errorf("%s is answered %d %.300s, want 4xx with the line", variable, status, text)
		}
		if status, text := ask("harmless"); status != http.StatusOK {
			t.Fatalf("after %s the server answers %d %.300s", variable, status, text)
		}
	}
	if runtime.GOOS == "linux" {
		if peak := peakMemory(t, server.Pid()); peak > 512<<20 {
			t.Errorf("the server took %d MiB, more than the 512 it was given", peak>>20)
		}
	}
}

// peakMemory is the most memory a process has had from the system, in bytes.
func peakMemory(t *testing.T, pid int) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kib, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kib << 10
}
