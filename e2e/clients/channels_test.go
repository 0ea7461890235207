package clients_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	edictclient "edict/client"
	"edict/e2e"
	"edict/platform/fault"
)

// TestClientOfChannels leads a channel through its life with the Go client.
func TestClientOfChannels(t *testing.T) { currentAndNewer(t, clientOfChannels) }

func clientOfChannels(t *testing.T, through func(url string) string) {
	server := e2e.Start(t, e2e.Options{})
	at := through(server.URL)
	tokens := e2e.Tokens(server.Data)
	as := func(user string) *edictclient.Client {
		return &edictclient.Client{URL: at, Token: tokens(t, user)}
	}
	ada, bob, root := as("ada"), as("bob"), as("admin")
	ctx := t.Context()
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ok(ada.CreateChannel(ctx, edictclient.NewChannel{Name: "club", Private: true, InviteOnly: true, Description: "ours"}))
	const club = "ada#club"
	if _, err := bob.Channel(ctx, club); fault.KindOf(err) != fault.NotFound {
		t.Errorf("who is not invited: %v", err)
	}
	n, err := ada.Invite(ctx, club, []string{"bob"})
	if ok(err); n != 1 {
		t.Errorf("%d invited", n)
	}
	invited, next, err := ada.Invitations(ctx, club, "", 0)
	if ok(err); !slices.Equal(invited, []string{"bob"}) || next != "" {
		t.Errorf("invitations: %v, then %q", invited, next)
	}
	_, err = bob.Subscribe(ctx, club)
	ok(err)
	changed, err := ada.ChangeChannel(ctx, club, edictclient.ChannelChange{Description: new("all of us"), PublishPermission: new("subscribers")})
	if ok(err); changed.Description != "all of us" || changed.PublishPermission != "subscribers" || !changed.InviteOnly || changed.Owner != "ada" {
		t.Errorf("changed: %+v", changed)
	}
	found, total, err := ada.SearchChannels(ctx, edictclient.Search{Name: "LUB", Description: "us"})
	if ok(err); total != 1 || found[0].Name != "club" || found[0].PublishPermission != "subscribers" {
		t.Errorf("found %d: %+v", total, found)
	}

	var ids []string
	for _, text := range []string{"one", "two", "three"} {
		id, err := ada.Publish(ctx, club, edictclient.Item{Content: json.RawMessage(`{"text":"` + text + `"}`), MessageType: "note"})
		ok(err)
		ids = append(ids, id)
	}
	ok(ada.Correct(ctx, club, ids[1], edictclient.Item{Content: json.RawMessage(`{"text":"zwei"}`)}))
	if err := bob.Correct(ctx, club, ids[0], edictclient.Item{Content: json.RawMessage(`{"text":"mine"}`)}); fault.KindOf(err) != fault.Forbidden {
		t.Errorf("somebody else corrects: %v", err)
	}
	items, next, err := bob.Items(ctx, club, edictclient.Fetch{Newest: true, Size: 2})
	if ok(err); len(items) != 2 || items[0].ID != ids[2] || items[1].MetaData.EditedDate == nil || items[1].MetaData.MessageType != "note" || next == "" {
		t.Errorf("items: %+v, then %q", items, next)
	}
	items, next, err = bob.Items(ctx, club, edictclient.Fetch{Cursor: next})
	if ok(err); len(items) != 1 || items[0].ID != ids[0] || next != "" {
		t.Errorf("the rest: %+v, then %q", items, next)
	}
	items, err = bob.ItemsByID(ctx, club, ids[1:2])
	if ok(err); len(items) != 1 || string(items[0].Content) != `{"text":"zwei"}` {
		t.Errorf("by id: %+v", items)
	}
	ok(bob.WakeFor(ctx, club, true))
	ok(bob.MarkRead(ctx, club, ids[0]))
	if mine, err := bob.MySubscriptions(ctx); err != nil || len(mine) != 1 || mine[0].Unread != 2 || mine[0].ReadUpTo != ids[0] || mine[0].Wake != "all" {
		t.Errorf("subscriptions of bob: %+v, %v", mine, err)
	}
	unknown, err := ada.DeleteItems(ctx, club, []string{ids[0], "nothing"})
	if ok(err); !slices.Equal(unknown, []string{"nothing"}) {
		t.Errorf("deleted, but for %v", unknown)
	}
	ok(ada.AddTags(ctx, club, []string{"x"}))
	ok(ada.RemoveTag(ctx, club, "x"))
	if tags, err := ada.Tags(ctx, club); err != nil || len(tags) != 0 {
		t.Errorf("tags: %v, %v", tags, err)
	}
	if s, err := ada.Summary(ctx, club); err != nil || s.Items != 2 || s.LastPublished == nil {
		t.Errorf("summary: %+v, %v", s, err)
	}
	if users, count, err := ada.Presence(ctx, club); err != nil || count != 0 || len(users) != 0 {
		t.Errorf("present: %v of %d, %v", users, count, err)
	}

	ok(ada.RemoveMember(ctx, club, "bob"))
	ok(ada.Ban(ctx, club, "bob"))
	banned, _, err := ada.Bans(ctx, club, "", 0)
	if ok(err); len(banned) != 1 || banned[0].UserID != "bob" || banned[0].At.IsZero() {
		t.Errorf("bans: %+v", banned)
	}
	if _, err := bob.Channel(ctx, club); fault.KindOf(err) != fault.NotFound {
		t.Errorf("who is banned: %v", err)
	}
	ok(ada.Unban(ctx, club, "bob"))
	subs, err := ada.Subscriptions(ctx, club)
	if ok(err); len(subs) != 1 || subs[0].UserID != "ada" {
		t.Errorf("members: %+v", subs)
	}
	operatorsOf(t, root, ada, club)
	ok(ada.DeleteAllItems(ctx, club))
	ok(ada.Unsubscribe(ctx, club))
	ok(ada.DeleteChannel(ctx, club))
}

// operatorsOf looks at everything that is for operators.
func operatorsOf(t *testing.T, root, ada *edictclient.Client, channel string) {
	t.Helper()
	ctx := t.Context()
	if _, err := ada.Overview(ctx); fault.KindOf(err) != fault.Forbidden {
		t.Errorf("an overview for all: %v", err)
	}
	var overview struct{ History struct{ At []int64 } }
	if raw, err := root.Overview(ctx); err != nil || json.Unmarshal(raw, &overview) != nil || overview.History.At == nil {
		t.Errorf("overview: %s, %v", raw, err)
	}
	if _, _, err := ada.Send(ctx, edictclient.Message{Recipients: []string{"bob"}, Content: json.RawMessage(`{"a":1}`)}); err != nil {
		t.Fatal(err)
	}
	page, err := root.Deliveries(ctx, "bob", time.Now().Add(-time.Hour), "", 10)
	if err != nil || len(page.Deliveries) != 1 || page.Deliveries[0].State != "PENDING" || page.NextCursor != "" {
		t.Errorf("deliveries: %+v, %v", page, err)
	}
	enough := fault.New(fault.Conflict, "enough")
	err = root.Tap(ctx, channel, edictclient.Following{Handle: func(e edictclient.Event) error {
		switch e.Event {
		case "ready":
			_, err := ada.Publish(ctx, channel, edictclient.Item{Content: json.RawMessage(`{"text":"tapped"}`)})
			return err
		case "item":
			if strings.Contains(string(e.Data), "tapped") {
				return enough
			}
		}
		return nil
	}})
	if fault.KindOf(err) != fault.Conflict {
		t.Errorf("tap: %v", err)
	}
}

// TestChannelCommands does what TestClientOfChannels does on the command line.
func TestChannelCommands(t *testing.T) {
	server := e2e.Start(t, e2e.Options{})
	tokens := e2e.Tokens(server.Data)
	flags := func(user string) []string { return []string{"--url", server.URL, "--token", tokens(t, user)} }
	run := func(user string, status int, says string, args ...string) string {
		t.Helper()
		got, stdout, stderr := e2e.Command(t, append(args, flags(user)...)...)
		if got != status || !strings.Contains(stdout+stderr, says) {
			t.Errorf("edict %s: status %d, %s%s\nwant %d, %s", strings.Join(args, " "), got, stdout, stderr, status, says)
		}
		return strings.TrimSpace(stdout)
	}
	tokens(t, "bob")
	run("ada", 0, "", "channel", "create", "news", "--description", "What is new", "--publish", "subscribers", "--max-items", "10")
	run("ada", 1, "already exists", "channel", "create", "news")
	run("ada", 0, "What is new", "channel", "list", "new")
	run("ada", 0, "max items      10", "channel", "show", "news")
	run("ada", 0, "max items      5", "channel", "set", "news", "--max-items=5", "--subscriptions=false")
	run("ada", 0, "subscriptions  true", "channel", "set", "news", "--subscriptions=true")
	run("ada", 2, "at least one flag", "channel", "set", "news")
	run("bob", 1, "owner", "channel", "set", "news", "--description", "mine")
	run("ada", 0, "", "channel", "create", "club", "--invite-only")
	run("ada", 0, "1", "channel", "invite", "ada#club", "bob")
	run("ada", 0, "bob", "channel", "invitations", "ada#club")
	run("ada", 0, "", "channel", "uninvite", "ada#club", "bob")

	id := run("ada", 0, "", "publish", "news", "text=helo")
	run("ada", 0, "", "item", "correct", "news", id, "text=hello")
	run("bob", 1, "publish", "item", "correct", "news", id, "text=mine")
	run("bob", 0, `{"text":"hello"} (edited)`, "item", "list", "news")
	run("bob", 0, `"itemId":"`+id+`"`, "item", "list", "news", "--json", "--oldest", "-n", "0")
	e2e.Call(t, "PUT", server.URL+"/message/api/v2/channels/news/subscribe", tokens(t, "bob"), "application/json", `{}`)
	run("ada", 0, "", "publish", "news", "text=again")
	run("bob", 0, "news     1       none", "channel", "mine")
	run("bob", 1, "no item", "item", "mark-read", "news", "nothing")
	run("bob", 0, "", "item", "mark-read", "news", id)
	run("bob", 0, "news     1 ", "channel", "mine")
	run("bob", 0, "", "item", "mark-read", "news")
	run("bob", 0, "news     0 ", "channel", "mine")
	run("ada", 0, "bob", "channel", "members", "news")
	run("ada", 0, "", "channel", "remove-member", "news", "bob")
	run("ada", 0, "", "channel", "ban", "news", "bob")
	run("ada", 1, "", "channel", "ban", "news", "ada")
	run("ada", 0, "bob", "channel", "bans", "news")
	run("bob", 1, "banned", "item", "list", "news")
	run("ada", 0, "", "channel", "unban", "news", "bob")
	run("ada", 1, "no item of news", "item", "delete", "news", id, "nothing")
	run("ada", 2, "--all", "item", "delete", "news")
	run("ada", 0, "", "item", "delete", "news", "--all")

	run("ada", 0, "", "send", "bob", "text=hi")
	run("admin", 0, "PENDING", "admin", "deliveries", "--user", "bob")
	run("admin", 0, `"history"`, "admin", "overview", "--json")
	run("admin", 0, "accepts writes", "admin", "overview")
	run("bob", 1, "admin", "admin", "overview")
	run("bob", 1, "admin", "admin", "tap", "news")
	run("ada", 0, "", "channel", "delete", "news")
	run("ada", 1, "does not exist", "channel", "show", "news")
}
