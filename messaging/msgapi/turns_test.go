package msgapi_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"edict/messaging"
	"edict/messaging/msgapi"
	"edict/messaging/sqlstore"
	"edict/platform/db"
	"edict/platform/web"
)

// slowStore is a store whose reading takes as long as its test wants.
type slowStore struct {
	messaging.Store
	now, most atomic.Int64 // readers
	begun     chan struct{}
	free      chan struct{}
}

func (s *slowStore) View(ctx context.Context, fn func(messaging.Reader) error) error {
	if n := s.now.Add(1); n > s.most.Load() {
		s.most.Store(n)
	}
	defer s.now.Add(-1)
	s.begun <- struct{}{}
	<-s.free
	return s.Store.View(ctx, fn)
}

// anybody lets everybody in.
type anybody struct{}

func (anybody) Authenticate(context.Context, string) (*web.Caller, error) {
	return &web.Caller{UserID: "alice"}, nil
}

// TestPagesTakeTurns: however many pages are asked for, two are read at once.
func TestPagesTakeTurns(t *testing.T) {
	quiet := slog.New(slog.DiscardHandler)
	d, err := db.Open(t.Context(), t.TempDir(), db.Options{Logger: quiet}, sqlstore.Migrations())
	check(t, err)
	t.Cleanup(func() { d.Close() })
	store, err := sqlstore.Open(t.Context(), d, sqlstore.Options{})
	check(t, err)
	slow := &slowStore{Store: store, begun: make(chan struct{}, 100), free: make(chan struct{})}
	service := messaging.New(messaging.Config{Store: slow, Log: quiet})
	server, err := web.New(web.Options{Authenticator: anybody{}, Logger: quiet, AccessLog: web.LogNothing}, msgapi.New(msgapi.Options{Service: service}).WebService())
	check(t, err)
	alice := messaging.Caller{UserID: "alice"}
	_, err = service.CreateChannel(t.Context(), alice, messaging.DefaultNewChannel("open"))
	check(t, err)
	item, err := service.Publish(t.Context(), alice, messaging.Ref{Name: "open"}, messaging.NewItem{Content: []byte(`{"a":1}`)})
	check(t, err)

	var codes []chan int
	for range 3 {
		for _, path := range []string{"/channels/open/items/fetch", "/channels/open/items?id=" + item, "/channels/open/subscriptions", "/messages"} {
			codes = append(codes, newAnswer(server, path))
		}
	}
	for range 2 {
		<-slow.begun
	}
	close(slow.free)
	for i, code := range codes {
		if got := <-code; got != http.StatusOK {
			t.Errorf("request %d: %d", i, got)
		}
	}
	if most := slow.most.Load(); most > 2 {
		t.Errorf("%d pages were read at once", most)
	}
}

// TestBodiesOfUnknownLengthCount: a body that comes in chunks counts as large a request as one that says its length.
func TestBodiesOfUnknownLengthCount(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	api := msgapi.New(msgapi.Options{Service: newFixture(t).service, Rate: 1, Burst: 20, Now: func() time.Time { return now }})
	server, err := web.New(web.Options{Authenticator: anybody{}, AccessLog: web.LogNothing}, api.WebService())
	check(t, err)
	post := func(length int64) int {
		body := `{"content":{"text":"` + strings.Repeat("x", 18*32<<10) + `"}}`
		r := httptest.NewRequest(http.MethodPost, msgapi.Prefix+"/channels/open/items", strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer x")
		r.Header.Set("Content-Type", "application/json")
		r.ContentLength = length
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		return w.Code
	}
	if code := post(-1); code != http.StatusCreated {
		t.Errorf("the first: %d", code)
	}
	if code := post(-1); code != http.StatusCreated { // it takes the last token, and is charged afterwards
		t.Errorf("the second: %d", code)
	}
	if code := post(-1); code != http.StatusTooManyRequests {
		t.Errorf("the third: %d", code)
	}
}

func newAnswer(server http.Handler, path string) chan int {
	code := make(chan int, 1)
	go func() {
		r := httptest.NewRequest(http.MethodGet, msgapi.Prefix+path, nil)
		r.Header.Set("Authorization", "Bearer x")
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		code <- w.Code
	}()
	return code
}
