package sqlstore_test

import (
	"fmt"
	"strings"
	"testing"

	"edict/messaging"
)

// TestErasedIsNowhere: somebody who has done everything there is to do is erased, and no row of any table has the name any more.
func TestErasedIsNowhere(t *testing.T) {
	s := serve(t, t.TempDir())
	const name = "Zebedee"
	him, ctx := messaging.Caller{UserID: name, DeviceID: name + "-phone"}, t.Context()
	must := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, private := range []bool{false, true} {
		n := messaging.DefaultNewChannel(map[bool]string{false: "open", true: "club"}[private])
		n.Private = private
		must(s.CreateChannel(ctx, him, n))
	}
	s.create("town", messaging.Unlimited)
	n := messaging.DefaultNewChannel("gone")
	n.Private = true
	must(s.CreateChannel(ctx, him, n)) // deleted before he is
	for _, channel := range []string{name + "#club", name + "#gone", "town"} {
		must(s.Subscribe(ctx, messaging.Caller{UserID: "bob"}, ref(channel), messaging.NewSubscription{}))
	}
	must(nil, s.DeleteChannel(ctx, him, ref(name+"#gone")))
	must(s.CreateChannel(ctx, him, messaging.DefaultNewChannel("given")))
	bob := messaging.UserID("bob")
	must(s.Subscribe(ctx, messaging.Caller{UserID: bob}, ref("given"), messaging.NewSubscription{}))
	must(s.ChangeChannel(ctx, him, ref("given"), messaging.ChannelChange{Owner: &bob}))
	must(s.Subscribe(ctx, him, ref("town"), messaging.NewSubscription{Wake: messaging.WakeAll}))
	id, err := s.Publish(ctx, him, ref("town"), messaging.NewItem{Content: []byte(`{"by":"` + name + `"}`), IdempotencyKey: "k", MessageType: name})
	must(id, err)
	must(nil, s.MarkRead(ctx, him, ref("town"), id))
	must(s.CorrectItem(ctx, him, ref("town"), id, messaging.NewContent{Content: []byte(`{"by":"` + name + `"}`)}))
	must(s.Publish(ctx, him, ref(name+"#club"), messaging.NewItem{Content: []byte(`{"by":"` + name + `"}`)}))
	must(s.Send(ctx, him, messaging.NewMessage{Recipients: []messaging.UserID{"bob"}, Content: []byte(`{"by":"` + name + `"}`), Receipt: true}))
	must(s.Send(ctx, ann, messaging.NewMessage{Recipients: []messaging.UserID{name}, Content: []byte(`{"n":1}`), Receipt: true}))
	must(s.RegisterDevice(ctx, him, messaging.NewDevice{ID: name + "-phone", Label: name, Platform: "other"}))
	must(s.Invite(ctx, messaging.Caller{UserID: name}, ref(name+"#club"), []messaging.UserID{"bob"}))
	must(nil, s.Ban(ctx, ann, ref("town"), name))

	must(nil, s.EraseUser(ctx, name))
	for more := true; more; {
		more, err = s.Sweep(ctx)
		must(nil, err)
	}
	for _, row := range s.everything() {
		if strings.Contains(strings.ToLower(row), strings.ToLower(name)) {
			t.Errorf("left: %s", row)
		}
	}
}

// everything returns the rows of all tables as text.
func (s *service) everything() (rows []string) {
	s.Helper()
	tables := s.texts("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
	for _, table := range tables {
		columns := s.texts("SELECT name FROM pragma_table_info('" + table + "')")
		for _, column := range columns {
			for _, text := range s.texts(fmt.Sprintf("SELECT CAST(%q AS TEXT) FROM %q WHERE %[1]q IS NOT NULL", column, table)) {
				rows = append(rows, table+"."+column+": "+text)
			}
		}
	}
	if len(rows) < 20 {
		s.Fatalf("only %d values were found", len(rows))
	}
	return rows
}

func (s *service) texts(query string) (texts []string) {
	s.Helper()
	rows, err := s.db.Read(s.Context()).Query(query)
	if err != nil {
		s.Fatal(query, err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			s.Fatal(query, err)
		}
		texts = append(texts, text)
	}
	if err := rows.Err(); err != nil {
		s.Fatal(query, err)
	}
	return texts
}
