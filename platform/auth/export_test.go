package auth

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestExportPlaces: a user has one export at a time, slow readers leave places to others, and a refused export does not use up the user's allowance.
func TestExportPlaces(t *testing.T) {
	w := newWorld(t, Options{})
	release, begun := make(chan struct{}), make(chan string, 2*maxExports)
	slow := func(id string) {
		begun <- id
		<-release
	}
	w.Keep(&fakeKeeper{exporting: slow})
	w.throttles.export = newThrottle(1, 0.0001, w.clock.Now)
	var tokens []string
	for i := range maxExports + 1 {
		tokens = append(tokens, w.token(w.user(fmt.Sprint("u", i), fmt.Sprint("u", i), false)))
	}
	export := func(i int) answer { return w.send("GET", fmt.Sprintf("/auth/users/u%d/export", i), tokens[i], nil) }
	ended := make(chan answer, maxExports)
	for i := range maxExports {
		go func() { ended <- export(i) }()
		<-begun
		if i == 0 {
			if got := export(0); got.status != 503 || got.header.Get("Retry-After") != "30" || !strings.Contains(got.text, "an export of this user") {
				t.Errorf("the same user again: %d %s", got.status, got.text)
			}
		}
	}
	if got := export(maxExports); got.status != 503 || !strings.Contains(got.text, "other exports") {
		t.Errorf("one too many: %d %s", got.status, got.text)
	}
	close(release)
	for range maxExports {
		if got := <-ended; got.status != 200 {
			t.Errorf("%d", got.status)
		}
	}
	if got := export(maxExports); got.status != 200 {
		t.Errorf("after the 503, when there is a place: %d %s", got.status, got.text)
	}
	if got := export(maxExports); got.status != 429 {
		t.Errorf("the allowance is one, and an export more is answered %d", got.status)
	}
}

// slowReader takes a while for every write, and notes until when each may take.
type slowReader struct {
	*httptest.ResponseRecorder
	now   time.Time
	takes time.Duration
	until time.Time
}

func (s *slowReader) SetWriteDeadline(t time.Time) error {
	s.until = t
	return nil
}

func (s *slowReader) Write(b []byte) (int, error) {
	s.now = s.now.Add(s.takes)
	return len(b), nil
}

// TestExportPace: a client that reads a byte now and then is cut off soon, one that reads at the least rate is not.
func TestExportPace(t *testing.T) {
	for _, c := range []struct {
		bytes int
		takes time.Duration
		cut   bool
	}{{4096, 29 * time.Second, true}, {1, time.Second, true}, {exportRate, 900 * time.Millisecond, false}} {
		to := &slowReader{ResponseRecorder: httptest.NewRecorder(), now: time.Unix(1e9, 0), takes: c.takes}
		p := &paced{ResponseWriter: to, now: func() time.Time { return to.now }}
		cut, begun := false, to.now
		for range 2000 {
			if _, err := p.Write(make([]byte, c.bytes)); err != nil {
				t.Fatal(err)
			}
			if to.now.After(to.until) {
				cut = true
				break
			}
		}
		if cut != c.cut || cut && to.now.Sub(begun) > 3*exportPatience {
			t.Errorf("%d bytes in %v: cut off %v after %v", c.bytes, c.takes, cut, to.now.Sub(begun))
		}
	}
}
