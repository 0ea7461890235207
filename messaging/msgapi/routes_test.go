package msgapi

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
	var got []string
	for _, r := range api.routes() {
		got = append(got, r.Doc.ID)
	}
	slices.Sort(got)
	want := slices.Sorted(slices.Values(strings.Fields(theService + operations)))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the operations of the table (-want +got):\n%s", diff)
	}
}

// theService are the operations that clients of the service know, and operations those that came since.
const (
	theService = `createChannel searchChannels readChannel deleteChannel channelSummary subscribe unsubscribe listSubscriptions
		addTags listTags removeTag removeAllTags publishItem itemsByID fetchItems deleteItems deleteAllItems sendToUserIds messageStatus `
	operations = `mySubscriptions invite withdrawInvite changeChannel markRead correctItem acknowledge inbox registerDevice listDevices removeDevice pushInfo
		removeMember ban unban listBans listInvitations listDeliveries`
)
