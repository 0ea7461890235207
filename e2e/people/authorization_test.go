package people_test

// The routes of identity: who may what, cell by cell; what an export holds; what erasure leaves.

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"edict/e2e"
)

// Callers of identity, by what ties them to the user "person" whom a route is about.
const (
	person   = "person"
	disabled = "disabled" // the person, whose account was disabled after the token was issued
	backend  = "backend"  // a client that may all that clients may, with a token of its own
)

var peopleCallers = []string{anonymous, stranger, person, admin, backend, disabled}

// peopleEndpoint is a row of the table of identity: the statuses that callers get, by default those of a kind of route.
type peopleEndpoint struct {
	path, body string
	status     int            // of success
	others     map[string]int // of callers who do not succeed
}

var (
	open       = map[string]int{}                                                           // for anybody
	anybody    = map[string]int{anonymous: 401, disabled: 401, backend: 401}                // with a token
	selfOrBoss = map[string]int{anonymous: 401, disabled: 401, backend: 401, stranger: 403} // the person and admins
	bossOnly   = map[string]int{anonymous: 401, disabled: 401, backend: 401, stranger: 403, person: 403}
)

func also(row map[string]int, more ...any) map[string]int {
	row = maps.Clone(row)
	for i := 0; i < len(more); i += 2 {
		row[more[i].(string)] = more[i+1].(int)
	}
	return row
}

// authorizeQuery is a request of the client chat, which is sent back to where nobody listens.
const authorizeQuery = "response_type=code&client_id=chat&state=s&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"

var peopleEndpoints = map[string]peopleEndpoint{
	"POST /auth/token":                           {"/auth/token", "grant_type=password&username=person&password=secret+of+person", 200, map[string]int{disabled: 400}},
	"GET /auth/authorize":                        {"/auth/authorize?" + authorizeQuery, "", 200, open},
	"POST /auth/authorize":                       {"/auth/authorize", authorizeQuery + "&username=person&password=secret+of+person", 303, map[string]int{disabled: 400}},
	"POST /auth/revoke":                          {"/auth/revoke", "token=none", 200, open},
	"POST /auth/ticket":                          {"/auth/ticket", "", 200, anybody},
	"GET /auth/userinfo":                         {"/auth/userinfo", "", 200, anybody},
	"GET /auth/sessions":                         {"/auth/sessions?user=person", "", 200, selfOrBoss},
	"DELETE /auth/sessions":                      {"/auth/sessions?user=person", "", 204, selfOrBoss},
	"DELETE /auth/sessions/{id}":                 {"/auth/sessions/SESSION", "", 204, also(selfOrBoss, stranger, 404)},
	"POST /auth/users":                           {"/auth/users", `{"username":"NEW","password":"secret of new"}`, 201, bossOnly},
	"GET /auth/users":                            {"/auth/users?q=person", "", 200, bossOnly},
	"GET /auth/users/{id}":                       {"/auth/users/person", "", 200, anybody},
	"PATCH /auth/users/{id}":                     {"/auth/users/person", `{"displayName":"Person"}`, 200, selfOrBoss},
	"DELETE /auth/users/{id}":                    {"/auth/users/person?content=true", "", 204, selfOrBoss},
	"GET /auth/users/{id}/export":                {"/auth/users/person/export", "", 200, selfOrBoss},
	"PUT /auth/users/{id}/password":              {"/auth/users/person/password", `{"oldPassword":"secret of person","newPassword":"another secret"}`, 204, selfOrBoss},
	"POST /auth/users/{id}/reset":                {"/auth/users/person/reset", "", 200, also(bossOnly, backend, 200)},
	"POST /auth/reset":                           {"/auth/reset", `{"code":"CODE","newPassword":"another secret"}`, 204, map[string]int{disabled: 400}},
	"POST /auth/users/lookup":                    {"/auth/users/lookup", `{"ids":["person"]}`, 200, anybody},
	"DELETE /auth/users/{id}/devices/{deviceId}": {"/auth/users/person/devices/phone", "", 204, bossOnly},
	"GET /auth/audit":                            {"/auth/audit", "", 200, bossOnly},
}

// keeping are the routes, besides those that read, after which a person is as before.
var keeping = []string{"POST /auth/authorize", "POST /auth/revoke", "POST /auth/ticket", "POST /auth/token", "POST /auth/users", "POST /auth/users/lookup", "PATCH /auth/users/{id}"}

// TestPeopleAuthorization asserts every cell of the table of identity. Routes that change a person get a new one for each cell.
func TestPeopleAuthorization(t *testing.T) {
	t.Parallel()
	server := e2e.Start(t, e2e.Options{})
	tokens := e2e.Tokens(server.Data)
	boss, other := tokens(t, "admin"), tokens(t, "stranger")
	e2e.AddClient(t, server.Data, "chat", "--redirect", "https://app.example/back")
	own := e2e.ClientToken(t, server.URL, "backend", e2e.AddClient(t, server.Data, "backend", "--secret", "--scope", "mint", "--scope", "reset"))
	persons, cells := 0, 0
	next := func() *livingPerson { // ids are never given again
		persons++
		return newPerson(t, server.URL, boss, fmt.Sprint("person", persons))
	}
	remove := func(p *livingPerson) {
		if status, answer := p.send("DELETE", "/auth/users/"+p.id, boss, ""); status != 204 && status != 404 {
			t.Fatalf("removing the person: %d %s", status, answer)
		}
	}
	disable := func(p *livingPerson) { p.must("PATCH", "/auth/users/"+p.id, boss, `{"disabled":true}`) }
	check := func(p *livingPerson, route, caller string) {
		e := peopleEndpoints[route]
		method, _, _ := strings.Cut(route, " ")
		body := strings.NewReplacer("CODE", p.code, "NEW", "new"+caller).Replace(e.body)
		token := map[string]string{stranger: other, person: p.token, disabled: p.token, admin: boss, backend: own}[caller]
		status, answer := p.send(method, strings.NewReplacer("SESSION", p.session, "users/person", "users/"+p.id, "user=person", "user="+p.id).Replace(e.path), token, body)
		want := e.status
		if code, ok := e.others[caller]; ok {
			want = code
		}
		if status != want {
			t.Errorf("%s, %s: %d, want %d\n%s", route, caller, status, want, answer)
		}
		var failure struct {
			Error       string `json:"error"`
			Description string `json:"error_description"`
		}
		if want >= 400 && (json.Unmarshal(answer, &failure) != nil || failure.Error == "" || failure.Description == "") {
			t.Errorf("%s, %s: the error has not the shape of OAuth: %s", route, caller, answer)
		}
		cells++
	}
	var kept, changed []string
	for _, route := range slices.Sorted(maps.Keys(peopleEndpoints)) {
		if strings.HasPrefix(route, "GET ") || slices.Contains(keeping, route) {
			kept = append(kept, route)
		} else {
			changed = append(changed, route)
		}
	}
	p := next()
	for _, caller := range peopleCallers { // the person who is disabled comes last
		if caller == disabled {
			disable(p)
		}
		for _, route := range kept {
			check(p, route, caller)
		}
	}
	remove(p)
	for _, route := range changed {
		for _, caller := range peopleCallers {
			p := next()
			if caller == disabled {
				disable(p)
			}
			check(p, route, caller)
			remove(p)
		}
	}
	t.Logf("%d cells, %d persons", cells, persons)
}

// livingPerson is a user who has signed in on a phone, and for whom a code was issued.
type livingPerson struct {
	t                    *testing.T
	url                  string
	id                   string
	token, session, code string
}

func newPerson(t *testing.T, url, boss, id string) *livingPerson {
	t.Helper()
	p := &livingPerson{t: t, url: url, id: id}
	p.must("POST", "/auth/users", boss, `{"username":"person","userId":"`+id+`","password":"secret of person"}`)
	var signedIn struct {
		Token string `json:"access_token"`
	}
	p.read(&signedIn, "POST", "/auth/token", "", "grant_type=password&username=person&password=secret+of+person&device_id=phone")
	p.token = signedIn.Token
	p.must("GET", e2e.MessageAPI+"/devices", p.token, "") // the first use registers the phone
	var listed struct{ Sessions []struct{ SessionID string } }
	p.read(&listed, "GET", "/auth/sessions", p.token, "")
	p.session = listed.Sessions[0].SessionID
	var issued struct{ Code string }
	p.read(&issued, "POST", "/auth/users/"+id+"/reset", boss, "")
	p.code = issued.Code
	return p
}

// send makes a request; a body that is not JSON is a form.
func (p *livingPerson) send(method, path, token, body string) (int, []byte) {
	p.t.Helper()
	r, err := http.NewRequest(method, p.url+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", map[bool]string{true: "application/json", false: "application/x-www-form-urlencoded"}[body[0] == '{'])
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := e2e.NoRedirects.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return resp.StatusCode, answer
}

func (p *livingPerson) must(method, path, token, body string) []byte {
	p.t.Helper()
	status, answer := p.send(method, path, token, body)
	if status >= 300 {
		p.t.Fatalf("%s %s: %d %s", method, path, status, answer)
	}
	return answer
}

func (p *livingPerson) read(into any, method, path, token, body string) {
	p.t.Helper()
	if err := json.Unmarshal(p.must(method, path, token, body), into); err != nil {
		p.t.Fatal(err)
	}
}

// TestEveryRouteOfIdentityHasARow compares the rows with the routes that the server documents.
func TestEveryRouteOfIdentityHasARow(t *testing.T) {
	t.Parallel()
	server := e2e.Start(t, e2e.Options{})
	p := &livingPerson{t: t, url: server.URL}
	var document struct {
		Paths map[string]map[string]json.RawMessage
	}
	p.read(&document, "GET", "/openapi.json", "", "")
	rows := maps.Clone(peopleEndpoints)
	for path, operations := range document.Paths {
		for method := range operations {
			route := strings.ToUpper(method) + " " + path
			if _, ok := rows[route]; !ok && strings.HasPrefix(path, "/auth/") && method != "parameters" {
				t.Errorf("%s has no row in the table of identity: add it to peopleEndpoints", route)
			}
			delete(rows, route)
		}
	}
	for row := range rows {
		t.Errorf("the table of identity has a row for %s, which the server does not have", row)
	}
}

// TestExportAndErasure: an export holds what a person made, sent, received and is, and nothing that others wrote in channels;
// erasure empties what they made and leaves what others did.
func TestExportAndErasure(t *testing.T) {
	t.Parallel()
	server := e2e.Start(t, e2e.Options{})
	tokens := e2e.Tokens(server.Data)
	ann, bob, boss := tokens(t, "ann"), tokens(t, "bob"), tokens(t, "admin")
	p := &livingPerson{t: t, url: server.URL}
	p.must("POST", e2e.MessageAPI+"/channels", bob, `{"channelName":"town"}`)
	p.must("POST", e2e.MessageAPI+"/channels", ann, `{"channelName":"diary","privateChannel":true}`)
	p.must("POST", e2e.MessageAPI+"/channels", ann, `{"channelName":"club"}`)
	p.must("PUT", e2e.MessageAPI+"/channels/town/subscribe", ann, "")
	p.must("POST", e2e.MessageAPI+"/devices", ann, `{"deviceId":"laptop","platform":"desktop"}`)
	p.must("POST", e2e.MessageAPI+"/channels", bob, `{"channelName":"guests","privateChannel":true,"inviteOnly":true}`)
	p.must("POST", e2e.MessageAPI+"/channels/guests/invite", bob, `{"userIds":["ann"]}`)
	p.must("POST", e2e.MessageAPI+"/channels", bob, `{"channelName":"square"}`)
	p.must("PUT", e2e.MessageAPI+"/channels/square/bans/ann", bob, "")
	const many = 2500 // more than one look
	for i := range many {
		author, word := ann, "said by ann"
		if i%2 == 1 {
			author, word = bob, "said by bob"
		}
		p.must("POST", e2e.MessageAPI+"/channels/town/items", author, fmt.Sprintf(`{"content":{"word":"%s","n":%d}}`, word, i))
	}
	p.must("POST", e2e.MessageAPI+"/channels/ann%23diary/items", ann, `{"content":{"word":"dear diary"}}`)
	p.must("POST", e2e.MessageAPI+"/messages/send_to_user_ids", ann, `{"recipientUserIds":["bob"],"content":{"word":"ann to bob"}}`)
	p.must("POST", e2e.MessageAPI+"/messages/send_to_user_ids", bob, `{"recipientUserIds":["ann"],"content":{"word":"bob to ann"}}`)
	p.must("POST", e2e.MessageAPI+"/messages/send_to_user_ids", bob, `{"recipientUserIds":["admin"],"content":{"word":"bob to admin"}}`)

	files := map[string]string{}
	raw := p.must("GET", "/auth/users/ann/export", ann, "")
	archive, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil || !json.Valid(text) {
			t.Errorf("%s is not JSON: %v", f.Name, err)
		}
		files[f.Name] = string(text)
	}
	for name, test := range map[string]struct {
		holds string
		times int
	}{
		"profile.json":       {`"userId":"ann"`, 1},
		"sessions.json":      {`"kind":"token"`, 1},
		"audit.json":         {`"act":"user.exported"`, 1},
		"channels.json":      {`"channelName":`, 2},
		"subscriptions.json": {`"channelName":`, 3},
		"devices.json":       {`"deviceId":"laptop"`, 1},
		"invitations.json":   {`"channelName":"bob#guests"`, 1},
		"bans.json":          {`"channelName":"square","bannedDate":"`, 1},
		"items.json":         {`"itemId":`, many/2 + 1},
		"sent.json":          {`"ann to bob"`, 1},
		"received.json":      {`"bob to ann"`, 1},
	} {
		if got := strings.Count(files[name], test.holds); got != test.times {
			t.Errorf("%s holds %s %d times, want %d\n%.2000s", name, test.holds, got, test.times, files[name])
		}
		for _, foreign := range []string{"said by bob", "bob to admin"} {
			if strings.Contains(files[name], foreign) {
				t.Errorf("%s holds what is somebody else's: %s", name, foreign)
			}
		}
	}
	if len(files) != 11 {
		t.Errorf("%d files: %v", len(files), slices.Sorted(maps.Keys(files)))
	}

	p.must("DELETE", "/auth/users/ann?content=true", boss, "")
	words := map[string]int{}
	for cursor := ""; ; {
		var page struct {
			Items []struct {
				Publisher struct{ UserID string }
				Content   struct{ Word string }
			}
			NextCursor string
		}
		p.read(&page, "GET", e2e.MessageAPI+"/channels/town/items/fetch?size=1000&cursor="+cursor, bob, "")
		for _, i := range page.Items {
			words[i.Publisher.UserID+" "+i.Content.Word]++
		}
		if cursor = page.NextCursor; cursor == "" {
			break
		}
	}
	if got, want := fmt.Sprint(words), fmt.Sprint(map[string]int{"deleted ": many / 2, "bob said by bob": many / 2}); got != want {
		t.Errorf("the channel holds %s, want %s", got, want)
	}
	if inbox := string(p.must("GET", e2e.MessageAPI+"/messages", bob, "")); strings.Contains(inbox, "ann to bob") || !strings.Contains(inbox, `"content":{}`) {
		t.Errorf("the inbox: %s", inbox)
	}
	if status, answer := p.send("GET", "/auth/users/ann", boss, ""); status != 404 {
		t.Errorf("ann is there: %d %s", status, answer)
	}
}
