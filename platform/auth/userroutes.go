package auth

import (
	"net/http"

	"edict/platform/fault"
	"edict/platform/web"
)

// The policies of the user routes. What MaybeCaller lets in is decided by the configuration.
var (
	register = web.Policy{Name: "registration", Access: web.OptionalCaller, Description: "All callers where registration is open, else admins."}
	selfOr   = web.Policy{Name: "self or admin", Access: web.RequiredCaller, Description: "The user and admins."}
)

var exampleUser = userBody{UserID: "4bf92f3577b34da6a3ce929d0e0e4736", Username: "alice"}

var exampleList = listBody{Users: []listedBody{{
	UserID: exampleUser.UserID, Username: "alice", DisplayName: "Alice Liddell", CreatedAt: new("2026-11-01T08:00:00.000Z"), LastSeenAt: new("2026-11-16T11:00:00.000Z"),
	Devices: []deviceBody{{ID: "phone", Label: "Alice's phone", Platform: "android", Push: new("fcm"), CreatedAt: new("2026-11-01T08:00:00.000Z")}},
}}}

func (a *Authority) userRoutes() []web.Route {
	noUser := web.Answer{Status: http.StatusNotFound, Description: "there is no such user"}
	return []web.Route{
		{
			Method: http.MethodPost, Path: "/auth/users", Policy: register, Handle: a.serveRegister,
			Doc: web.Doc{
				ID: "createUser", Summary: "Create a user",
				Description: "A missing userId is generated: 32 hexadecimal digits. Names and ids are unique, ignoring case. Ids of deleted users are never reused. Only admins may create admins.",
				Body:        &web.Body{Type: registerBody{}, Example: registerBody{Username: "alice", Password: "correct horse battery"}},
				Answers: []web.Answer{
					{Status: http.StatusCreated, Example: exampleUser},
					{Status: http.StatusConflict, Description: "the name or the id is taken, or the id belonged to a deleted user"},
					{Status: http.StatusInsufficientStorage},
				},
			},
		},
		{
			Method: http.MethodGet, Path: "/auth/users", Policy: web.Authenticated, Handle: a.serveUsers,
			Doc: web.Doc{
				ID: "findUser", Summary: "Find a user by name, or list all",
				Description: "With username, returns the user of that name and thus their id. Without it, returns all users by name in pages, for admins.",
				Params: []web.Param{
					{Name: "username", Description: "the whole name; case does not matter", Example: "alice"},
					{Name: "q", Description: "for admins: part of the name, display name or id", Example: "lidd"}, cursorParam, sizeParam,
				},
				Answers: []web.Answer{
					{Status: http.StatusOK, Description: "the user of the name", Example: exampleUser},
					{Status: http.StatusOK, Description: "for admins, without a name, a page of users", Example: exampleList}, noUser,
				},
			},
		},
		{
			Method: http.MethodGet, Path: "/auth/users/{id}", Policy: web.Authenticated, Handle: a.serveUser,
			Doc: web.Doc{
				ID: "readUser", Summary: "Read a user", Description: "The name of a user.",
				Answers: []web.Answer{{Status: http.StatusOK, Example: exampleUser}, noUser},
			},
		},
		{
			Method: http.MethodDelete, Path: "/auth/users/{id}", Policy: selfOr, Handle: a.serveRemove,
			Doc: web.Doc{
				ID: "removeUser", Summary: "Remove a user", Params: []web.Param{{Name: "content", Description: "true also erases the content that the user published and sent", Type: false, Example: true}},
				Description: "Deletes the user's tokens, devices, subscriptions, inbox and private channels. Public channels pass to admins. Published items stay, without their publisher's name.",
				Answers:     []web.Answer{{Status: http.StatusNoContent}, noUser},
			},
		},
	}
}

type registerBody struct {
	Username string `json:"username"`
	Password string `json:"password" min:"8" max:"1024" doc:"8 to 1024 bytes"`
	UserID   string `json:"userId,omitempty" pattern:"^[A-Za-z0-9_.-]{0,64}$" doc:"1 to 64 of A-Z a-z 0-9 _ . -"`
	Admin    bool   `json:"admin,omitempty"`
}

type userBody struct {
	UserID      string `json:"userId"`
	Username    string `json:"username"`
	DisplayName string `json:"displayName,omitempty"`
	AvatarURL   string `json:"avatarUrl,omitempty"`
	Admin       bool   `json:"admin,omitempty" doc:"shown to admins"`
	Disabled    bool   `json:"disabled,omitempty" doc:"shown to admins"`
}

// userOn returns a user as a caller is shown it.
func userOn(u User, to *web.Caller) userBody {
	admin := to != nil && to.Admin
	return userBody{UserID: u.ID, Username: u.Name, DisplayName: u.DisplayName, AvatarURL: u.AvatarURL, Admin: u.Admin && admin, Disabled: u.Disabled && admin}
}

func (a *Authority) serveRegister(w http.ResponseWriter, r *http.Request) error {
	caller := web.CallerOf(r)
	if err := a.mayRegister(r, caller); err != nil {
		return err
	}
	var body registerBody
	if err := web.ReadJSON(r, &body); err != nil {
		return err
	}
	if body.Admin {
		if err := adminOnly(caller, "make admins"); err != nil {
			return err
		}
	}
	if err := checkPassword("password", body.Password); err != nil {
		return err // over HTTP a user without a password could never sign in
	}
	u, err := a.CreateUser(r.Context(), NewUser{Name: body.Username, ID: body.UserID, Password: body.Password, Admin: body.Admin, By: byOf(r)})
	if err != nil {
		return err
	}
	w.Header().Set("Location", "/auth/users/"+u.ID)
	return web.WriteJSON(w, http.StatusCreated, userBody{UserID: u.ID, Username: u.Name, Admin: u.Admin})
}

// mayRegister asks the configuration. Where anybody may, one address may only so often.
func (a *Authority) mayRegister(r *http.Request, caller *web.Caller) error {
	if a.opts.Registration != RegistrationOpen {
		return adminOnly(caller, "create users here")
	}
	if caller != nil && caller.Admin {
		return nil
	}
	if wait, ok := a.throttles.signup.take(web.AddressOf(r)); !ok {
		return tooMany(wait)
	}
	return nil
}

func (a *Authority) serveUsers(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	names := query["username"]
	if list := query.Has("q") || query.Has("cursor") || query.Has("size"); list || len(names) == 0 && web.CallerOf(r).Admin {
		if len(names) > 0 {
			return fault.New(fault.Invalid, "give username, which is the name of one user, or q, cursor and size, which are for lists")
		}
		if err := adminOnly(web.CallerOf(r), "list users"); err != nil {
			return err
		}
		return a.serveList(w, r)
	}
	if len(names) != 1 || names[0] == "" {
		return fault.New(fault.Invalid, "give one user name: /auth/users?username=NAME")
	}
	u, err := a.UserByName(r.Context(), names[0])
	return writeUser(w, r, u, err)
}

func (a *Authority) serveUser(w http.ResponseWriter, r *http.Request) error {
	u, err := a.UserByID(r.Context(), r.PathValue("id"))
	return writeUser(w, r, u, err)
}

func writeUser(w http.ResponseWriter, r *http.Request, u User, err error) error {
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, userOn(u, web.CallerOf(r)))
}

func (a *Authority) serveRemove(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if _, err := self(r, id, "remove other users"); err != nil {
		return err
	}
	content, err := contentAsked(r)
	if err != nil {
		return err
	}
	return noContent(w, a.RemoveUser(r.Context(), byOf(r), id, content))
}

// contentAsked reports whether a removal is to take the content along.
func contentAsked(r *http.Request) (bool, error) {
	text, given, err := single(r.URL.Query(), "content")
	switch {
	case err != nil || !given || text == "false":
		return false, err
	case text == "true":
		return true, nil
	}
	return false, fault.New(fault.Invalid, "content is %.40q: it must be true or false", text)
}
