package auth

import (
	"net/http"

	"edict/platform/fault"
	"edict/platform/web"
)

var exampleProfile = profileBody{UserID: "4bf92f3577b34da6a3ce929d0e0e4736", Username: "alice", DisplayName: "Alice Liddell", AvatarURL: "https://pictures.example/alice.png"}

func (a *Authority) profileRoutes() []web.Route {
	noUser := web.Answer{Status: http.StatusNotFound, Description: "there is no such user"}
	return []web.Route{
		{
			Method: http.MethodPatch, Path: "/auth/users/{id}", Policy: selfOr, Handle: a.serveChange,
			Doc: web.Doc{
				ID: "changeUser", Summary: "Change a profile, or disable a user",
				Description: "Changes display name and picture. An empty text removes a value; omitted fields stay unchanged. Admins may change any user, and disable or enable them: " +
					"a disabled user cannot sign in, and all their tokens and streams end.",
				Body:    &web.Body{Type: changeBody{}, Example: map[string]any{"displayName": "Alice Liddell", "avatarUrl": "https://pictures.example/alice.png"}},
				Answers: []web.Answer{{Status: http.StatusOK, Example: exampleUser}, noUser},
			},
		},
		{
			Method: http.MethodPost, Path: "/auth/users/lookup", Policy: web.Authenticated, Handle: a.serveLookup, MaxBody: 256 << 10,
			Doc: web.Doc{
				ID: "lookupUsers", Summary: "Look up names and pictures of users",
				Description: "Returns names and pictures of up to 1000 users in the order of the ids, each once. Unknown ids are skipped.",
				Body:        &web.Body{Type: lookupBody{}, Example: lookupBody{IDs: []string{"4bf92f3577b34da6a3ce929d0e0e4736", "bob"}}},
				Answers:     []web.Answer{{Status: http.StatusOK, Example: profilesBody{Users: []profileBody{exampleProfile}}}},
			},
		},
		{
			Method: http.MethodDelete, Path: "/auth/users/{id}/devices/{deviceId}", Policy: adminPolicy, Handle: a.serveRemoveDevice,
			Doc: web.Doc{
				ID: "removeUserDevice", Summary: "Remove a device of a user",
				Description: "Same effect as DELETE /message/api/v2/devices/{device_id} by its user: streams end, and earlier tokens do not register it again.",
				Answers:     []web.Answer{{Status: http.StatusNoContent}, {Status: http.StatusNotFound, Description: "there is no such user or device"}},
			},
		},
	}
}

type changeBody struct {
	DisplayName *string `json:"displayName,omitempty" max:"64" doc:"up to 64 characters; empty removes it"`
	AvatarURL   *string `json:"avatarUrl,omitempty" pattern:"^(https://.*)?$" doc:"begins with https://; empty removes it"`
	Disabled    *bool   `json:"disabled,omitempty" doc:"for admins, of others"`
}

type lookupBody struct {
	IDs []string `json:"ids" max:"1000" doc:"at most 1000"`
}

type profileBody struct {
	UserID      string `json:"userId"`
	Username    string `json:"username"`
	DisplayName string `json:"displayName"`
	AvatarURL   string `json:"avatarUrl"`
}

type profilesBody struct {
	Users []profileBody `json:"users"`
}

func (a *Authority) serveChange(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	own, err := self(r, id, "change other users")
	if err != nil {
		return err
	}
	var body changeBody
	if err := web.ReadJSON(r, &body); err != nil {
		return err
	}
	if body.Disabled != nil {
		if err := adminOnly(web.CallerOf(r), "disable and enable users"); err != nil {
			return err
		}
		if own && *body.Disabled {
			return fault.New(fault.Invalid, "disabled: you cannot disable yourself; another admin can")
		}
	}
	u, err := a.UpdateUser(r.Context(), byOf(r), id, Change(body))
	return writeUser(w, r, u, err)
}

func (a *Authority) serveLookup(w http.ResponseWriter, r *http.Request) error {
	var body lookupBody
	if err := web.ReadJSON(r, &body); err != nil {
		return err
	}
	switch {
	case body.IDs == nil:
		return fault.New(fault.Invalid, "ids: give a list of user ids")
	case len(body.IDs) > maxLookup:
		return fault.New(fault.Invalid, "ids: there are %d, give at most %d at once", len(body.IDs), maxLookup)
	}
	found, err := a.LookupUsers(r.Context(), body.IDs)
	if err != nil {
		return err
	}
	answer := profilesBody{Users: make([]profileBody, 0, len(found))}
	for _, id := range body.IDs {
		if u, ok := found[FoldID(id)]; ok {
			answer.Users = append(answer.Users, profileBody{u.ID, u.Name, u.DisplayName, u.AvatarURL})
			delete(found, FoldID(id))
		}
	}
	return web.WriteJSON(w, http.StatusOK, answer)
}

func (a *Authority) serveRemoveDevice(w http.ResponseWriter, r *http.Request) error {
	if err := adminOnly(web.CallerOf(r), "remove devices of others"); err != nil {
		return err
	}
	return noContent(w, a.RemoveDevice(r.Context(), byOf(r), r.PathValue("id"), r.PathValue("deviceId")))
}

// listedBody is a user as admins are shown it in the list.
type listedBody struct {
	UserID      string       `json:"userId"`
	Username    string       `json:"username"`
	DisplayName string       `json:"displayName"`
	Admin       bool         `json:"admin"`
	Disabled    bool         `json:"disabled"`
	CreatedAt   *string      `json:"createdAt"`
	LastSeenAt  *string      `json:"lastSeenAt" doc:"null if never seen since recording began"`
	Devices     []deviceBody `json:"devices"`
}

type deviceBody struct {
	ID        string  `json:"deviceId"`
	Label     string  `json:"label"`
	Platform  string  `json:"platform"`
	Push      *string `json:"push" doc:"push service of the device; null without one"`
	CreatedAt *string `json:"createdAt"`
}

type listBody struct {
	Users      []listedBody `json:"users"`
	NextCursor *string      `json:"nextCursor" doc:"null at the end; a page may hold fewer users than requested although more follow"`
}

// serveList shows admins everybody.
func (a *Authority) serveList(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	p, err := pageOf(query)
	if err != nil {
		return err
	}
	text, _, err := single(query, "q")
	if err != nil {
		return err
	}
	if err := a.AuditLook(r.Context(), byOf(r), ActUsersRead, "", ""); err != nil {
		return err
	}
	users, end, err := a.ListUsers(r.Context(), text, p.after, p.size)
	if err != nil {
		return err
	}
	ids := make([]string, len(users))
	for i, u := range users {
		ids[i] = u.ID
	}
	devices := map[string][]Device{}
	if keeper := a.keeper(); keeper != nil {
		if devices, err = keeper.Devices(r.Context(), ids); err != nil {
			return err
		}
	}
	answer := listBody{Users: make([]listedBody, 0, len(users))}
	for _, u := range users {
		answer.Users = append(answer.Users, a.listed(u, devices[u.ID]))
	}
	if end != "" {
		answer.NextCursor = writeCursor(end)
	}
	return web.WriteJSON(w, http.StatusOK, answer)
}

func (a *Authority) listed(u User, devices []Device) listedBody {
	seen := u.Seen
	if now := a.tokens.seen(u.ID, ""); now.After(seen) {
		seen = now
	}
	b := listedBody{
		UserID: u.ID, Username: u.Name, DisplayName: u.DisplayName, Admin: u.Admin, Disabled: u.Disabled,
		CreatedAt: stamp(u.Created), LastSeenAt: stamp(seen), Devices: make([]deviceBody, 0, len(devices)),
	}
	for _, d := range devices {
		b.Devices = append(b.Devices, deviceOf(d))
	}
	return b
}

func deviceOf(d Device) deviceBody {
	b := deviceBody{ID: d.ID, Label: d.Label, Platform: d.Platform, CreatedAt: stamp(d.Created)}
	if d.Push != "" {
		b.Push = &d.Push
	}
	return b
}
