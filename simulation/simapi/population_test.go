package simapi_test

import (
	"bytes"
	"context"
	"errors"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"edict/simulation/jobs"
	"edict/simulation/simapi"
)

// populations is a handler whose populations are computed as a test says, and the queue that they are in.
func populations(t *testing.T, most int, compute func(context.Context, simapi.PopulationTask, func(simapi.PopulationNews)) (simapi.PopulationResult, error)) (http.Handler, *jobs.Queue) {
	t.Helper()
	queue, err := jobs.Open(jobs.Options{Dir: t.TempDir(), Most: most})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = queue.Close(context.Background()) })
	return server(t, simapi.Options{Populations: simapi.PopulationOptions{Queue: queue, Open: true, Compute: compute}}), queue
}

// sendPopulation sends a small file, and returns where its population is.
func sendPopulation(t *testing.T, h http.Handler) string {
	t.Helper()
	w := tryPopulation(t, h, "192.0.2.1")
	if w.Code != http.StatusAccepted {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	return w.Header().Get("Location")
}

// tryPopulation sends a small file from an address.
func tryPopulation(t *testing.T, h http.Handler, address string) *httptest.ResponseRecorder {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "persons.csv")
	if err == nil {
		_, err = part.Write([]byte("individu_id\n1\n"))
	}
	if err = errors.Join(err, form.WriteField("options", `{"variables":["revdisp"],"period":"2022"}`), form.Close()); err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "/api/2/populations", &body)
	r.RemoteAddr = address + ":1234"
	r.Header.Set("Content-Type", form.FormDataContentType())
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestPopulationsWithoutToken: one address has three places of ten, which its ended populations do not block, nor those of others.
func TestPopulationsWithoutToken(t *testing.T) {
	release := make(chan struct{})
	h, queue := populations(t, 10, func(ctx context.Context, _ simapi.PopulationTask, _ func(simapi.PopulationNews)) (simapi.PopulationResult, error) {
		select {
		case <-release:
		case <-ctx.Done():
		}
		return simapi.PopulationResult{Persons: 1}, ctx.Err()
	})
	for address, places := range map[string]int{"192.0.2.1": 3, "192.0.2.2": 3, "192.0.2.3": 3, "192.0.2.4": 1} {
		for range places {
			if w := tryPopulation(t, h, address); w.Code != http.StatusAccepted {
				t.Fatalf("%s: %d %s", address, w.Code, w.Body)
			}
		}
	}
	for address, want := range map[string]int{"192.0.2.1": http.StatusTooManyRequests, "192.0.2.4": http.StatusServiceUnavailable} {
		if w := tryPopulation(t, h, address); w.Code != want || w.Header().Get("Retry-After") == "" {
			t.Errorf("one more of %s: %d %s, want %d", address, w.Code, w.Body, want)
		}
	}
	waiting := queue.Jobs()
	close(release)
	for _, j := range waiting {
		for changed := j.Changed(); !j.Now().State.Final(); changed = j.Changed() {
			<-changed
		}
		if s := j.Now(); queue.Expires(j, s).Sub(s.Ended) != time.Hour {
			t.Errorf("ended at %v, kept until %v, want an hour", s.Ended, queue.Expires(j, s))
		}
	}
	for _, address := range []string{"192.0.2.1", "192.0.2.4", "192.0.2.5"} {
		if w := tryPopulation(t, h, address); w.Code != http.StatusAccepted {
			t.Errorf("%s, when all have ended: %d %s", address, w.Code, w.Body)
		}
	}
	if n := len(queue.Jobs()); n > 10 {
		t.Errorf("%d populations are kept, of ten", n)
	}
}

// TestPopulationWithoutResult: whoever asks for what is not there hears why, and what to do.
func TestPopulationWithoutResult(t *testing.T) {
	fail := make(chan error)
	h, queue := populations(t, 3, func(ctx context.Context, task simapi.PopulationTask, _ func(simapi.PopulationNews)) (simapi.PopulationResult, error) {
		select {
		case err := <-fail:
			return simapi.PopulationResult{}, errors.Join(err, os.ErrPermission, errors.New(task.Input+", line 2"))
		case <-ctx.Done():
			return simapi.PopulationResult{}, ctx.Err()
		}
	})
	first, second := sendPopulation(t, h), sendPopulation(t, h)
	running := queue.Jobs()[0]
	for running.Now().State != jobs.Running {
		<-running.Changed()
	}
	expect := func(here string, says ...string) {
		t.Helper()
		for i, path := range []string{"/report", "/rows"} {
			if w := send(h, http.MethodGet, here+path, ""); w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), says[i]) {
				t.Errorf("%s%s: %d %s\nwant %s", here, path, w.Code, w.Body, says[i])
			}
		}
	}
	expect(first, "There is no report yet, since the population is running: ask again when its state is done, of which its /events tell", "There is no file of rows yet, since")
	expect(second, "There is no report yet, since the population is queued", "since the population is queued")
	fail <- errors.New("no luck")
	for running.Now().State == jobs.Running {
		<-running.Changed()
	}
	expect(first, `since the population failed: mend what is wrong, and send it again. It failed with: no luck`, `persons.csv, line 2`)
	if err := queue.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	expect(second, "There is no report, since the population was cancelled before it was done: send it again", "There is no file of rows, since the population was cancelled")
}

// TestPopulationRemoved: a population that is removed while it is computed is computed no longer, its files go, also those that it makes while it
// ends, and so does its place in the queue.
func TestPopulationRemoved(t *testing.T) {
	dirs, stopped, end := make(chan string, 1), make(chan struct{}), make(chan struct{})
	first := true
	h, queue := populations(t, 1, func(ctx context.Context, task simapi.PopulationTask, _ func(simapi.PopulationNews)) (simapi.PopulationResult, error) {
		if !first {
			return simapi.PopulationResult{Persons: 1}, nil
		}
		first = false
		dirs <- filepath.Dir(task.Input)
		<-ctx.Done()
		close(stopped)
		<-end
		err := os.MkdirAll(filepath.Dir(task.Input), 0o700)
		if err == nil {
			err = os.WriteFile(filepath.Join(filepath.Dir(task.Input), "rows.csv"), []byte("late"), 0o600)
		}
		return simapi.PopulationResult{}, errors.Join(ctx.Err(), err)
	})
	here := sendPopulation(t, h)
	dir := <-dirs
	if _, err := os.Stat(filepath.Join(dir, "input.csv")); err != nil {
		t.Fatal(err)
	}
	if w := send(h, http.MethodDelete, here, ""); w.Code != http.StatusNoContent {
		t.Errorf("removing: %d %s", w.Code, w.Body)
	}
	<-stopped
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its files are still there: %v", err)
	}
	if w := send(h, http.MethodGet, here, ""); w.Code != http.StatusNotFound {
		t.Errorf("removed: %d %s", w.Code, w.Body)
	}
	next := sendPopulation(t, h) // there is one place
	if j := queue.Jobs()[0]; j.Now().State != jobs.Queued {
		t.Errorf("the next one is %s while the one before has not ended", j.Now().State)
	}
	close(end)
	if w := send(h, http.MethodGet, next+"/events", ""); !strings.Contains(w.Body.String(), `"state":"done"`) {
		t.Errorf("the next one: %s", w.Body)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what it made while it ended is still there: %v", err)
	}
}
