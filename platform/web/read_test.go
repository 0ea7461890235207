package web_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"edict/platform/cores"
	"edict/platform/web"
)

// slowNote is a body that takes as long to decode as its test wants, if it is large.
type slowNote struct {
	Text slowText `json:"text"`
}

type slowText string

var slowly struct {
	now, most atomic.Int64 // how many are decoded
	begun     chan struct{}
	free      chan struct{}
}

func (*slowText) UnmarshalJSON(text []byte) error {
	if len(text) < 1<<10 {
		return nil
	}
	if n := slowly.now.Add(1); n > slowly.most.Load() {
		slowly.most.Store(n)
	}
	defer slowly.now.Add(-1)
	slowly.begun <- struct{}{}
	<-slowly.free
	return nil
}

// TestLargeBodiesTakeTurns: of large bodies half as many are decoded at once as there are processors, and small ones do not wait for them.
func TestLargeBodiesTakeTurns(t *testing.T) {
	most := max(1, cores.Count()/2)
	large := `{"text":"` + strings.Repeat("x", 300<<10) + `"}`
	all := 3 * most
	slowly.begun, slowly.free = make(chan struct{}, all), make(chan struct{})
	handle := func(w http.ResponseWriter, r *http.Request) error {
		var n slowNote
		if err := web.ReadJSON(r, &n); err != nil {
			return err
		}
		return web.WriteJSON(w, http.StatusOK, "read")
	}
	s, err := web.New(web.Options{}, web.Service{Name: "slow", Prefixes: []string{"/"}, Access: web.NoCaller, Routes: []web.Route{
		{Method: "POST", Path: "/", Policy: web.Public, Handle: handle, Doc: bodyDoc("Read")},
	}})
	if err != nil {
		t.Fatal(err)
	}
	answers := make(chan int, all)
	for range all {
		go func() { answers <- ask(s, "POST", "/", large).Code }()
	}
	for range most {
		<-slowly.begun
	}
	if got := ask(s, "POST", "/", `{"text":"x"}`); got.Code != http.StatusOK {
		t.Errorf("a small body: %d %s", got.Code, got.Body)
	}
	close(slowly.free)
	for range all {
		if code := <-answers; code != http.StatusOK {
			t.Errorf("a large body: %d", code)
		}
	}
	if got := slowly.most.Load(); got > int64(most) {
		t.Errorf("%d large bodies were decoded at once, want %d", got, most)
	}
}
