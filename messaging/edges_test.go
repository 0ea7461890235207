package messaging

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestClaiming: a device is being claimed until all who claim it have ended, and is not remembered after that.
func TestClaiming(t *testing.T) {
	c := newClaiming()
	c.add("ann", "phone")
	c.add("ANN", "phone")
	c.add("ann", "desk")
	c.drop("ann", "phone")
	if !c.has("ann", "phone") || !c.has("ann", "") || c.has("ann", "tablet") || c.has("bob", "") {
		t.Errorf("%v", c.devices)
	}
	c.drop("ann", "phone")
	if c.has("ann", "phone") || !c.has("ann", "desk") || !c.has("ann", "") {
		t.Errorf("%v", c.devices)
	}
	if c.drop("ann", "desk"); len(c.devices) != 0 {
		t.Errorf("%v is remembered", c.devices)
	}
}

// TestObjectBounds: an object may have as many bytes as it may have.
func TestObjectBounds(t *testing.T) {
	for limit, fits := range map[int]bool{6: false, 7: true, 8: true} {
		if _, err := parseObject("push", []byte(`{"n":1}`), limit); (err == nil) != fits {
			t.Errorf("%d bytes: %v", limit, err)
		}
	}
	for _, raw := range []string{"1", `"{"`, "[]"} {
		if _, err := parseObject("push", []byte(raw), 100); err == nil || !strings.Contains(err.Error(), "must be an object") {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

// TestCursorBeforeAll: a cursor may stand before everything.
func TestCursorBeforeAll(t *testing.T) {
	c := testCodec(1, 1)
	if p, err := c.parseInboxCursor(c.inboxCursor(0)); p != 0 || err != nil {
		t.Errorf("%d, %v", p, err)
	}
	if _, err := c.parseInboxCursor(c.inboxCursor(-1)); err == nil {
		t.Error("a position below 0 is accepted")
	}
	want := itemCursor{channel: 7, after: 6, since: 5, until: 4, descending: true, total: 3}
	if got, err := c.parseItemCursor(c.itemCursor(want)); got != want || err != nil {
		t.Errorf("%+v (%v), want %+v", got, err, want)
	}
}

// TestAckTexts: the error tells a state that is missing from one that is not for acknowledgements.
func TestAckTexts(t *testing.T) {
	for s, want := range map[string]string{"": "state is missing", "PENDING": `state "PENDING" cannot be acknowledged`} {
		if _, err := ParseAck(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", s, err, want)
		}
	}
}

// TestOnceTellsPartsApart: the same bytes in other parts are another request.
func TestOnceTellsPartsApart(t *testing.T) {
	l := DefaultLimits()
	digest := func(parts ...string) [32]byte {
		var all [][]byte
		for _, p := range parts {
			all = append(all, []byte(p))
		}
		o, err := l.once("key", all...)
		if err != nil {
			t.Fatal(err)
		}
		return o.body
	}
	if digest("ab", "c") == digest("a", "bc") || digest("a", "") == digest("", "a") || digest("a", "b") == digest("a\x00\x00\x00\x00\x00\x00\x00\x00b") {
		t.Error("requests are not told apart by their parts")
	}
}

// TestWhoPublishes: a refusal says who may do it.
func TestWhoPublishes(t *testing.T) {
	for _, c := range []struct {
		channel       Channel
		publish, tags string
	}{
		{Channel{Owner: "ann", Permission: PublishOwner}, "lets only its owner publish", "lets only its owner publish, and change its tags"},
		{Channel{Owner: "ann", Permission: PublishSubscribers}, "only its owner and its subscribers publish", "only its owner and its subscribers publish, and change its tags"},
		{Channel{Owner: "ann", Permission: PublishOwner, Private: true}, "lets only its owner publish", "lets only its owner change its tags"},
	} {
		a := Access{Caller: Caller{UserID: "bob"}, Channel: &c.channel, As: "news"}
		if err := MayPublish(a); err == nil || !strings.Contains(err.Error(), c.publish) {
			t.Errorf("publishing: %v, want %s", err, c.publish)
		}
		if err := MayTag(a); err == nil || !strings.Contains(err.Error(), c.tags) {
			t.Errorf("tags: %v, want %s", err, c.tags)
		}
	}
}

// TestPreviewsAreCut: a preview has the members that fit, short values as they are, and texts of more characters than it shows cut.
func TestPreviewsAreCut(t *testing.T) {
	just, more, wide := strings.Repeat("x", maxPreviewText), strings.Repeat("x", maxPreviewText+1), strings.Repeat("é", maxPreviewText)
	numbers := "[" + strings.Repeat("1,", maxPreviewText) + "1]"
	for content, want := range map[string]string{
		`{}`:                           `{}`,
		`{"a":1,"b":{"c":[]}}`:         `{"a":1,"b":{"c":[]}}`,
		`{"a":"` + just + `"}`:         `{"a":"` + just + `"}`,
		`{"a":"` + wide + `"}`:         `{"a":"` + wide + `"}`,
		`{"a":"` + more + `"}`:         `{"a":"` + just + `…"}`,
		`{"a":` + numbers + `}`:        `{"a":` + numbers + `}`,
		`{"a":1,"b":`:                  `{"a":1}`,
		`{"a":1,"b":"` + more + `","c`: `{"a":1,"b":"` + just + `…"}`,
	} {
		if got := string(previewOf(Content(content))); got != want {
			t.Errorf("%s: %s, want %s", content, got, want)
		}
	}
	long := `"` + strings.Repeat("n", MaxPreview) + `"`
	if got := string(previewOf(Content(`{"a":1,` + long + `:2,"b":3}`))); got != `{"a":1,"b":3}` {
		t.Errorf("a member that does not fit: %s", got)
	}
	for n := MaxPreview - 40; n < MaxPreview; n++ {
		got := previewOf(Content(`{"` + strings.Repeat("n", n) + `":1,"b":2}`))
		if len(got) > MaxPreview || !slices.Contains([]string{"1}", "2}"}, string(got[len(got)-2:])) {
			t.Errorf("a name of %d bytes: %d bytes that end with %s", n, len(got), got[len(got)-2:])
		}
	}
}

// TestNobodyIsTold: a message whose sender is gone, or that asked for no receipt, has none.
func TestNobodyIsTold(t *testing.T) {
	for _, m := range []*Message{{Receipt: true}, {Sender: "ann"}, {}} {
		if err := receipt(nil, m, Delivery{}); err != nil { // it would panic
			t.Error(err)
		}
	}
}

// TestTagsFold: tags that differ in case alone are one, wherever they are.
func TestTagsFold(t *testing.T) {
	if got := foldTags([]string{"b", "A", "B", "a", "c"}); !slices.Equal(got, []string{"A", "B", "C"}) {
		t.Errorf("%v", got)
	}
}

// TestQueueKeepsTheItem: a device that waits for an item waits for it still when it gets another push service or a message.
func TestQueueKeepsTheItem(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	have := Wakeup{User: "bob", Device: "phone", Service: "apns", Channel: 5, Item: 6}
	q := &oneWakeup{have: have, queued: true}
	if err := queueWakeup(q, Wakeup{User: "bob", Device: "phone", Service: "fcm"}); err != nil || len(q.put) != 1 || q.put[0].Item != 6 || q.put[0].Channel != 5 {
		t.Errorf("%+v, %v", q.put, err)
	}
	q.put = nil
	if err := queueWakeup(q, Wakeup{User: "bob", Device: "phone", Service: "apns"}); err != nil || len(q.put) != 0 {
		t.Errorf("it is there, and %+v is put (%v)", q.put, err)
	}
	if err := requireWakeup(q, "bob", &Device{ID: "phone", Push: &Push{Service: "fcm"}}, now); err != nil || len(q.put) != 1 || q.put[0].Item != 6 || q.put[0].Channel != 5 {
		t.Errorf("%+v, %v", q.put, err)
	}
	q = &oneWakeup{}
	if err := queueWakeup(q, Wakeup{User: "bob", Device: "phone"}); err != nil || len(q.put) != 1 {
		t.Errorf("none is there, and %+v is put (%v)", q.put, err)
	}
}
