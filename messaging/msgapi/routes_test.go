package msgapi

import (
	"context"
	"testing"

	"edict/platform/fault"
	"edict/platform/web"
)

type nobody struct{}

func (nobody) Authenticate(context.Context, string) (*web.Caller, error) {
	return nil, fault.New(fault.Unauthenticated, "nobody is known here")
}

// TestTableIsComplete builds the server's table: a route without policy, description or example is refused there.
func TestTableIsComplete(t *testing.T) {
	api := New(Options{})
	if _, err := web.New(web.Options{Authenticator: nobody{}}, api.WebService()); err != nil {
		t.Fatal(err)
	}
	if n := len(api.routes()); n != 37 {
		t.Errorf("the table has %d routes, want the 19 of the service and 18 more", n)
	}
}
