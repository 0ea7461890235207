package cli_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"edict/cli"
)

// TestAskInside: a request that is cancelled while it is answered ends with that error, as one of a client that has left does; what breaks otherwise is not hidden.
func TestAskInside(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	status, err := cli.AskInside(ctx, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		cancel()
		panic(http.ErrAbortHandler)
	}))
	if status != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("status %d, %v", status, err)
	}
	status, err = cli.AskInside(t.Context(), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }))
	if status != http.StatusTeapot || err != nil {
		t.Errorf("status %d, %v", status, err)
	}
	defer func() {
		if p := recover(); p != "broken" {
			t.Errorf("a handler that panics gives %v", p)
		}
	}()
	_, err = cli.AskInside(t.Context(), http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("broken") }))
	t.Error("no panic", err)
}
