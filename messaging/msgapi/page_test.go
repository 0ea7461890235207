package msgapi

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"testing"

	"edict/messaging"
	"edict/platform/web"
)

// TestPagesAsReflected: pages write themselves as encoding/json would.
func TestPagesAsReflected(t *testing.T) {
	odd := "é\"\\\n\u2028 & <b>"
	content := messaging.Content(`{"a":[1.50,"é"]}`)
	full := item{ItemID: "i", ChannelName: odd, Publisher: publisher{UserID: odd, DeviceID: &odd}, Content: content, MetaData: metaData{CreationDate: "now", EditedDate: &odd, MessageType: &odd, ContentType: &odd}}
	message := inboxMessage{MessageID: "m", Sender: odd, DeviceID: &odd, Content: content, Metadata: content, Receipt: true, QueuedAt: "now", State: "QUEUED", ReceivedAt: &odd}
	for _, page := range []web.JSONAppender{
		itemList{Items: []item{}}, itemList{TotalCount: 7, Items: []item{full, {ItemID: "j", Content: content}}, NextCursor: &odd},
		subscriptionList{}, subscriptionList{{UserID: odd, ChannelName: odd, SubscriptionID: "s", DeviceID: &odd}, {UserID: "u"}},
		mySubscriptionList{}, mySubscriptionList{{subscription{UserID: odd, DeviceID: &odd}, "all", &odd, 7}, {subscription{UserID: "u"}, "none", nil, 0}},
		inbox{Messages: []inboxMessage{}}, inbox{Messages: []inboxMessage{message, {Content: content}}, NextCursor: &odd},
	} {
		text, err := json.Marshal(page)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := tokens(t, page.AppendJSON(nil)), tokens(t, text); !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

// tokens are those of JSON text, whichever way its strings are escaped.
func tokens(t *testing.T, text []byte) (all []json.Token) {
	t.Helper()
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		all = append(all, token)
	}
}
