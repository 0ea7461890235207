package messaging_test

// The table "who may" of the messaging contract, asserted cell by cell against the real server: every endpoint, every
// kind of caller, every kind of channel, every publish permission. A route of the service that has no row fails the test.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"edict/cli"
	"edict/e2e"
)

// Callers, by what ties them to the channel. The owner is not subscribed.
const (
	anonymous  = "anonymous"
	stranger   = "stranger"
	invited    = "invited"
	subscriber = "subscriber"
	owner      = "owner"
	admin      = "admin"
	banned     = "banned"
)

var callers = []string{anonymous, stranger, invited, subscriber, owner, admin, banned}

// Kinds of channel. myPrivate is a private channel named by its bare name with personal=true: only its owner reaches it.
const (
	public     = "public"
	private    = "private"
	inviteOnly = "invite-only"
	myPrivate  = "my private"
)

var (
	channelKinds = []string{public, private, inviteOnly, myPrivate}
	permissions  = []string{"anyone", "owner", "subscribers"}
)

// rule is a row of the table: who may, by kind of channel, and the code others get. The lists name no admin: admins may
// do what owners may.
type rule struct {
	may  map[string][]string
	code int
}

var (
	everybody = []string{stranger, invited, subscriber, owner}
	members   = []string{invited, subscriber, owner}
	readers   = []string{subscriber, owner}
	ownerOnly = []string{owner}
)

// rules are the rows of the table. Rows that the publish permission changes are named with it.
var rules = map[string]rule{
	"read record":         {map[string][]string{public: everybody, private: everybody, inviteOnly: members}, 64},
	"subscribe":           {map[string][]string{public: everybody, private: everybody, inviteOnly: members}, 64},
	"read items":          {map[string][]string{public: everybody, private: readers, inviteOnly: readers}, 65},
	"publish anyone":      {map[string][]string{public: everybody, private: readers, inviteOnly: readers}, 52},
	"publish owner":       {map[string][]string{public: ownerOnly, private: ownerOnly, inviteOnly: ownerOnly}, 52},
	"publish subscribers": {map[string][]string{public: readers, private: readers, inviteOnly: readers}, 52},
	"tag anyone":          {map[string][]string{public: everybody, private: ownerOnly, inviteOnly: ownerOnly}, 72},
	"tag owner":           {map[string][]string{public: ownerOnly, private: ownerOnly, inviteOnly: ownerOnly}, 72},
	"tag subscribers":     {map[string][]string{public: readers, private: ownerOnly, inviteOnly: ownerOnly}, 72},
	"own":                 {map[string][]string{public: ownerOnly, private: ownerOnly, inviteOnly: ownerOnly}, 71},
}

var statusOf = map[int]int{31: 400, 0: 0, 52: 403, 62: 401, 64: 404, 65: 403, 67: 410, 69: 403, 70: 404, 71: 403, 72: 403, 74: 404}

// endpoint is what the table says about one route of a channel.
type endpoint struct {
	rule   string // "publish" and "tag" are completed by the channel's permission
	path   string // after the channel
	query  string
	body   string
	status int                     // of success
	gone   func(caller string) int // code in place of success, 0 for none
}

// channelEndpoints are the routes of one channel, by method and path.
var channelEndpoints = map[string]endpoint{
	"GET /channels/{channel_name}":                            {rule: "read record", status: 200},
	"DELETE /channels/{channel_name}":                         {rule: "own", status: 200},
	"GET /channels/{channel_name}/summary":                    {rule: "read items", path: "/summary", status: 200},
	"PUT /channels/{channel_name}/subscribe":                  {rule: "subscribe", path: "/subscribe", status: 200},
	"PUT /channels/{channel_name}/unsubscribe":                {rule: "read record", path: "/unsubscribe", status: 200, gone: unlessSubscribed},
	"GET /channels/{channel_name}/presence":                   {rule: "read items", path: "/presence", status: 200},
	"GET /channels/{channel_name}/subscriptions":              {rule: "read items", path: "/subscriptions", status: 200},
	"POST /channels/{channel_name}/tags":                      {rule: "tag", path: "/tags", body: `{"tags":["x"]}`, status: 200},
	"GET /channels/{channel_name}/tags":                       {rule: "read record", path: "/tags", status: 200},
	"DELETE /channels/{channel_name}/tags/{tag}":              {rule: "tag", path: "/tags/x", status: 200},
	"DELETE /channels/{channel_name}/tags":                    {rule: "tag", path: "/tags", status: 200},
	"POST /channels/{channel_name}/items":                     {rule: "publish", path: "/items", body: `{"content":{"a":1}}`, status: 201},
	"GET /channels/{channel_name}/items":                      {rule: "read items", path: "/items", query: "id=x", status: 200},
	"GET /channels/{channel_name}/items/fetch":                {rule: "read items", path: "/items/fetch", status: 200},
	"DELETE /channels/{channel_name}/items":                   {rule: "own", path: "/items", query: "id=x", status: 200},
	"DELETE /channels/{channel_name}/items/all":               {rule: "own", path: "/items/all", status: 200},
	"POST /channels/{channel_name}/invite":                    {rule: "own", path: "/invite", body: `{"userIds":["stranger"]}`, status: 200},
	"DELETE /channels/{channel_name}/invite/{user_id}":        {rule: "own", path: "/invite/stranger", status: 200},
	"GET /channels/{channel_name}/invitations":                {rule: "own", path: "/invitations", status: 200},
	"PATCH /channels/{channel_name}":                          {rule: "own", body: `{"description":"x"}`, status: 200},
	"DELETE /channels/{channel_name}/subscriptions/{user_id}": {rule: "own", path: "/subscriptions/subscriber", status: 200},
	"PUT /channels/{channel_name}/bans/{user_id}":             {rule: "own", path: "/bans/stranger", status: 200},
	"DELETE /channels/{channel_name}/bans/{user_id}":          {rule: "own", path: "/bans/banned", status: 200},
	"GET /channels/{channel_name}/bans":                       {rule: "own", path: "/bans", status: 200},
	"PUT /channels/{channel_name}/items/{item_id}":            {rule: "publish", path: "/items/x", body: `{"content":{"a":1}}`, status: 200, gone: noItem},
	"PUT /channels/{channel_name}/read":                       {rule: "read items", path: "/read", body: `{"upTo":"x"}`, status: 200, gone: noItemUnlessSubscribed},
}

func unlessSubscribed(caller string) int {
	if caller == subscriber {
		return 0
	}
	return 67
}

// noItem is what everybody meets that may correct an item of their own: the item is not there.
func noItem(string) int { return 70 }

// noItemUnlessSubscribed is what subscribers meet that mark an item that is not there; others have no mark.
func noItemUnlessSubscribed(caller string) int {
	if caller == subscriber {
		return 70
	}
	return 67
}

// otherEndpoints are the routes that no channel decides about: the code that each caller gets, 0 for success. The
// message is from owner to subscriber; the device is owner's.
var otherEndpoints = map[string]struct {
	path, body string
	status     int
	codes      map[string]int // of callers who do not succeed; anonymous never does
}{
	"POST /channels":                  {"/channels", `{"channelName":"NEW"}`, 201, nil},
	"GET /channels":                   {"/channels?size=1", "", 200, nil},
	"GET /channels/my_subscriptions":  {"/channels/my_subscriptions", "", 200, nil},
	"POST /messages/send_to_user_ids": {"/messages/send_to_user_ids", `{"recipientUserIds":["stranger"],"content":{"a":1}}`, 200, nil},
	"GET /messages":                   {"/messages", "", 200, nil},
	"GET /messages/{message_id}":      {"/messages/MESSAGE", "", 200, map[string]int{stranger: 69, invited: 69, subscriber: 69, admin: 69}},
	"POST /messages/{message_id}/ack": {"/messages/MESSAGE/ack", `{"state":"RECEIVED"}`, 200, map[string]int{stranger: 70, invited: 70, owner: 70, admin: 70}},
	"GET /events":                     {"/events?cursor=none", "", 200, map[string]int{stranger: 31, invited: 31, subscriber: 31, owner: 31, admin: 31}}, // a stream has no end
	"POST /devices":                   {"/devices", `{"deviceId":"d"}`, 201, nil},
	"GET /devices":                    {"/devices", "", 200, nil},
	"GET /push":                       {"/push", "", 200, nil},
	"GET /admin/overview":             {"/admin/overview", "", 200, notAdmins},
	"GET /admin/deliveries":           {"/admin/deliveries", "", 200, notAdmins},
	"GET /admin/events":               {"/admin/events?channel=none", "", 200, map[string]int{stranger: 72, invited: 72, subscriber: 72, owner: 72, admin: 64}}, // a stream has no end
	"DELETE /devices/{device_id}":     {"/devices/owners", "", 200, map[string]int{stranger: 74, invited: 74, subscriber: 74, admin: 74}},
}

// notAdmins is what operators' routes say to everybody else.
var notAdmins = map[string]int{stranger: 72, invited: 72, subscriber: 72, owner: 72}

// expect returns the code that the table gives a caller, 0 for success.
func (e endpoint) expect(caller, kind, permission string) int {
	name := e.rule
	if name == "publish" || name == "tag" {
		name += " " + permission
	}
	row := rules[name]
	reached := kind
	switch {
	case caller == anonymous:
		return 62
	case kind == myPrivate && caller != owner:
		return 64 // the caller's own namespace has no such channel
	case kind == myPrivate:
		reached = private
	case kind == inviteOnly && caller == stranger, kind != public && caller == banned:
		return 64 // it does not exist
	}
	as := caller
	switch {
	case as == admin:
		as = owner
	case as == banned && name == "subscribe":
		return 65
	case as == banned && name == "read record":
		as = stranger
	}
	if !slices.Contains(row.may[reached], as) {
		return row.code
	}
	if e.gone != nil {
		return e.gone(caller)
	}
	return 0
}

// authorization is a server with one user per kind of caller.
type authorization struct {
	server *e2e.Server
	client *http.Client
	tokens map[string]string
	next   atomic.Int64
}

func newAuthorization(t *testing.T) *authorization {
	a := &authorization{
		server: e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Messaging.Rate = 0 }}),
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}},
		tokens: map[string]string{},
	}
	t.Cleanup(a.client.CloseIdleConnections)
	tokens := e2e.Tokens(a.server.Data)
	for _, name := range callers[1:] {
		a.tokens[name] = tokens(t, name)
	}
	return a
}

// send makes a request and returns its status, its code and its body.
func (a *authorization) send(caller, method, path, body string) (status, code int, answer []byte, err error) {
	request, err := http.NewRequest(method, a.server.URL+e2e.MessageAPI+path, strings.NewReader(body))
	if err != nil {
		return 0, 0, nil, err
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if token := a.tokens[caller]; token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := a.client.Do(request)
	if err != nil {
		return 0, 0, nil, err
	}
	defer response.Body.Close()
	if answer, err = io.ReadAll(response.Body); err != nil {
		return 0, 0, nil, err
	}
	var failure struct{ Code int }
	if response.StatusCode >= 400 {
		err = json.Unmarshal(answer, &failure)
	}
	return response.StatusCode, failure.Code, answer, err
}

// must makes a request that has to succeed.
func (a *authorization) must(caller, method, path, body string) error {
	status, _, answer, err := a.send(caller, method, path, body)
	if err == nil && status >= 300 {
		err = fmt.Errorf("%s %s as %s: %d %s", method, path, caller, status, answer)
	}
	return err
}

// channel makes a channel of a kind with one invited user, one subscriber and one who is banned, and returns its path.
func (a *authorization) channel(kind, permission string) (path, query string, err error) {
	name := fmt.Sprintf("c%d", a.next.Add(1))
	create, err := json.Marshal(map[string]any{
		"channelName": name, "privateChannel": kind != public, "inviteOnly": kind == inviteOnly,
		"publishPermission": permission, "subscribeOnCreate": false,
	})
	if err != nil {
		return "", "", err
	}
	path = "/channels/" + name
	if kind != public {
		path = "/channels/owner%23" + name
	}
	for _, step := range []struct{ caller, method, path, body string }{
		{owner, "POST", "/channels", string(create)},
		{owner, "POST", path + "/invite", `{"userIds":["invited","subscriber"]}`},
		{subscriber, "PUT", path + "/subscribe", ""},
		{owner, "PUT", path + "/bans/banned", ""},
	} {
		if err := a.must(step.caller, step.method, step.path, step.body); err != nil {
			return "", "", err
		}
	}
	if kind == myPrivate {
		return "/channels/" + name, "personal=true", nil
	}
	return path, "", nil
}

// cell asserts one cell of the table on a channel of its own.
func (a *authorization) cell(t *testing.T, route string, e endpoint, caller, kind, permission string) error {
	path, query, err := a.channel(kind, permission)
	if err != nil {
		return err
	}
	method, _, _ := strings.Cut(route, " ")
	path += e.path + "?" + query + "&" + e.query
	status, code, answer, err := a.send(caller, method, path, e.body)
	if err != nil {
		return err
	}
	want := e.expect(caller, kind, permission)
	wantStatus := statusOf[want]
	if want == 0 {
		wantStatus = e.status
	}
	if status != wantStatus || code != want {
		t.Errorf("%s, %s of a %s channel where %s may publish: %d code %d, want %d code %d\n%s",
			route, caller, kind, permission, status, code, wantStatus, want, answer)
	}
	return nil
}

func TestAuthorization(t *testing.T) {
	t.Parallel()
	a := newAuthorization(t)
	group := new(errgroup.Group)
	group.SetLimit(16)
	for route, e := range channelEndpoints {
		for _, caller := range callers {
			for _, kind := range channelKinds {
				for _, permission := range permissions {
					group.Go(func() error { return a.cell(t, route, e, caller, kind, permission) })
				}
			}
		}
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
}

// TestAuthorizationElsewhere asserts the rows that no channel decides about.
func TestAuthorizationElsewhere(t *testing.T) {
	t.Parallel()
	a := newAuthorization(t)
	for route, e := range otherEndpoints {
		for i, caller := range callers {
			message := a.message(t)
			if err := a.must(owner, "POST", "/devices", `{"deviceId":"owners"}`); err != nil {
				t.Fatal(err)
			}
			method, _, _ := strings.Cut(route, " ")
			path := strings.ReplaceAll(e.path, "MESSAGE", message)
			status, code, answer, err := a.send(caller, method, path, strings.ReplaceAll(e.body, "NEW", fmt.Sprintf("new%d", i)))
			if err != nil {
				t.Fatal(err)
			}
			as := caller
			if caller == banned { // from channels, and from nothing else
				as = stranger
			}
			want, wantStatus := e.codes[as], e.status
			if caller == anonymous {
				want = 62
			}
			if want != 0 {
				wantStatus = statusOf[want]
			}
			if status != wantStatus || code != want {
				t.Errorf("%s, %s: %d code %d, want %d code %d\n%s", route, caller, status, code, wantStatus, want, answer)
			}
		}
	}
}

// message sends one from owner to subscriber and returns its id.
func (a *authorization) message(t *testing.T) string {
	t.Helper()
	_, _, answer, err := a.send(owner, "POST", "/messages/send_to_user_ids", `{"recipientUserIds":["subscriber"],"content":{"a":1}}`)
	var result struct{ SentList []struct{ MessageID string } }
	if err == nil {
		err = json.Unmarshal(answer, &result)
	}
	if err != nil || len(result.SentList) == 0 {
		t.Fatalf("send: %v, %s", err, answer)
	}
	return result.SentList[0].MessageID
}

// TestSearchShows asserts the row "find by search".
func TestSearchShows(t *testing.T) {
	t.Parallel()
	a := newAuthorization(t)
	for _, kind := range channelKinds[:3] {
		path, _, err := a.channel(kind, "anyone")
		if err != nil {
			t.Fatal(err)
		}
		name := path[strings.LastIndex(path, "c"):]
		for _, caller := range callers[1:] {
			_, _, answer, err := a.send(caller, "GET", "/channels?channelName="+name, "")
			if err != nil {
				t.Fatal(err)
			}
			want := kind == public || caller == owner
			if found := bytes.Contains(answer, []byte(`"total":1`)); found != want {
				t.Errorf("%s finds a %s channel: %t, want %t\n%s", caller, kind, found, want, answer)
			}
		}
	}
}

// TestEveryRouteHasARow compares the rows with the routes that the server documents.
func TestEveryRouteHasARow(t *testing.T) {
	t.Parallel()
	server := e2e.Start(t, e2e.Options{})
	response, err := http.Get(server.URL + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var document struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.NewDecoder(response.Body).Decode(&document); err != nil {
		t.Fatal(err)
	}
	routes := map[string]bool{}
	for path, operations := range document.Paths {
		rest, ours := strings.CutPrefix(path, e2e.MessageAPI)
		for method := range operations {
			if ours && method != "parameters" {
				routes[strings.ToUpper(method)+" "+rest] = true
			}
		}
	}
	rows := slices.Sorted(maps.Keys(channelEndpoints))
	rows = append(rows, slices.Sorted(maps.Keys(otherEndpoints))...)
	for _, row := range rows {
		if !routes[row] {
			t.Errorf("the table of authorizations has a row for %s, which the server does not have", row)
		}
		delete(routes, row)
	}
	for route := range routes {
		t.Errorf("%s has no row in the table of authorizations: add it to channelEndpoints or otherEndpoints", route)
	}
}
