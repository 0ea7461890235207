package population_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"edict/e2e"
)

// TestPopulationLeftovers: what a server had of populations when it was killed goes when the next one starts on the same directory, and what
// another one has there that lives stays.
func TestPopulationLeftovers(t *testing.T) {
	e2e.NeedSignals(t)
	data := filepath.Join(t.TempDir(), "shared")
	start := func() *e2e.Process {
		p := e2e.StartBinary(t, "--only", "simulation", "--simulation-populations", "open", "--data", data)
		e2e.AwaitReady(t, p.URL)
		return p
	}
	send := func(p *e2e.Process, persons int) (here string) {
		body, contentType := form(t, [3]string{"options", "", `{"variables": ["revdisp"], "period": "2022"}`}, [3]string{"file", "persons.csv", manyPersons(persons)})
		status, header, answer := e2e.Exchange(t, "POST", p.URL+"/api/2/populations", "", contentType, body)
		if status != 202 {
			t.Fatalf("%d %s", status, answer)
		}
		return p.URL + header.Get("Location")
	}
	living := start()
	done := send(living, 10)
	if _, _, events := e2e.Exchange(t, "GET", done+"/events", "", "", ""); !strings.Contains(events, `"state":"done"`) {
		t.Fatalf("events:\n%s", events)
	}

	killed := start()
	stream := e2e.OpenStream(t, send(killed, 200_000)+"/events", "")
	for !strings.Contains(stream.Until("data: "), `"state":"running"`) {
	}
	if err := killed.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait() // it was killed
	if there := populationHomes(t, data); len(there) != 2 {
		t.Fatalf("a server that was killed left %v", there)
	}

	start()
	if there := populationHomes(t, data); len(there) != 1 {
		t.Errorf("after the next start there are %v", there)
	}
	if status, _, answer := e2e.Exchange(t, "GET", done+"/rows", "", "", ""); status != 200 || !strings.Contains(answer, "revdisp") {
		t.Errorf("the rows of the server that lives: %d %s", status, answer)
	}
}

// populationHomes are the directories that servers have for populations below a data directory.
func populationHomes(t *testing.T, data string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(data, "populations"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}
