package auth

import (
	"net/http"
	"slices"

	"edict/platform/fault"
	"edict/platform/web"
)

// adminPolicy is the policy of routes that are for admins alone.
var adminPolicy = web.Policy{Name: "admin", Access: web.RequiredCaller, Admins: true, Description: "Admins."}

// resetPolicy is that of the route that gives codes.
var resetPolicy = web.Policy{Name: "admin or client", Access: web.RequiredCaller, Description: "Admins, and clients with the scope reset."}

func (a *Authority) passwordRoutes() []web.Route {
	noUser := web.Answer{Status: http.StatusNotFound, Description: "there is no such user"}
	return []web.Route{
		{
			Method: http.MethodPut, Path: "/auth/users/{id}/password", Policy: selfOr, Handle: a.servePassword,
			Doc: web.Doc{
				ID: "changePassword", Summary: "Change a password",
				Description: "Users send oldPassword, and so do admins for their own account. All other sessions of the user end, streams included. " +
					"Wrong old passwords are limited as failed sign-ins are.",
				Body: &web.Body{Type: passwordBody{}, Example: passwordBody{Old: "correct horse battery", New: "staple of the horse"}},
				Answers: []web.Answer{
					{Status: http.StatusNoContent}, noUser,
					{Status: http.StatusForbidden, Description: "wrong oldPassword, or a caller who is neither the user nor an admin"},
					{Status: http.StatusConflict, Description: "the user signs in at another issuer"},
				},
			},
		},
		{
			Method: http.MethodPost, Path: "/auth/users/{id}/reset", Policy: resetPolicy, Handle: a.serveIssueReset, Clients: true,
			Doc: web.Doc{
				ID: "issueReset", Summary: "Create a password reset code",
				Description: "The code is valid once, for one hour, at POST /auth/reset, and replaces an earlier code. The application delivers it to the person. " +
					"A client uses its own token (grant_type=client_credentials), and gets no codes for admins.",
				Answers: []web.Answer{
					{Status: http.StatusOK, Example: resetCodeBody{Code: "edict_rc_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAA", ExpiresAt: new("2026-11-16T12:00:00.000Z")}}, noUser,
					{Status: http.StatusForbidden, Description: "the caller is not an admin; the client lacks the scope reset, or the user is an admin"},
					{Status: http.StatusConflict, Description: "the user is disabled, or signs in at another issuer"},
				},
			},
		},
		{
			Method: http.MethodPost, Path: "/auth/reset", Policy: web.Public, Handle: a.serveReset, Errors: shapeTokenError,
			Doc: web.Doc{
				ID: "resetPassword", Summary: "Set a new password with a code",
				Description: "Spends the code. All sessions of the user end; sign in with the new password.",
				Body:        &web.Body{Type: resetBody{}, Example: resetBody{Code: "edict_rc_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAA", New: "staple of the horse"}},
				Answers: []web.Answer{
					{Status: http.StatusNoContent},
					{Status: http.StatusBadRequest, Description: "invalid_grant: the code is unknown, expired, spent or replaced; invalid_request: the password is invalid"},
				},
			},
		},
	}
}

type passwordBody struct {
	Old string `json:"oldPassword,omitempty" doc:"not needed by admins for others"`
	New string `json:"newPassword" min:"8" max:"1024" doc:"8 to 1024 bytes"`
}

type resetCodeBody struct {
	Code      string  `json:"code"`
	ExpiresAt *string `json:"expiresAt"`
}

type resetBody struct {
	Code string `json:"code"`
	New  string `json:"newPassword" min:"8" max:"1024" doc:"8 to 1024 bytes"`
}

func (a *Authority) servePassword(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	own, err := self(r, id, "change the passwords of others")
	if err != nil {
		return err
	}
	var body passwordBody
	if err := web.ReadJSON(r, &body); err != nil {
		return err
	}
	switch {
	case !own:
		err = a.SetPassword(r.Context(), byOf(r), id, body.New)
	case body.Old == "":
		err = fault.New(fault.Invalid, "oldPassword: give the password that is to be changed")
	default:
		caller := web.CallerOf(r)
		err = a.ChangePassword(r.Context(), PasswordChange{
			UserID: id, Old: body.Old, New: body.New, DeviceID: caller.DeviceID, SessionID: sessionOf(caller.TokenID), By: byOf(r),
		})
	}
	return noContent(w, err)
}

// noContent answers that something is done.
func noContent(w http.ResponseWriter, err error) error {
	if err == nil {
		w.WriteHeader(http.StatusNoContent)
	}
	return err
}

func (a *Authority) serveIssueReset(w http.ResponseWriter, r *http.Request) error {
	if err := mayReset(web.CallerOf(r)); err != nil {
		return err
	}
	code, expires, err := a.IssueReset(r.Context(), byOf(r), r.PathValue("id"))
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, resetCodeBody{code, stamp(expires)})
}

func mayReset(c *web.Caller) error {
	if !isClient(c.UserID) {
		return adminOnly(c, "let others set a new password")
	}
	if !slices.Contains(scopeWords(c.Scope), ScopeReset) {
		return worded("insufficient_scope", fault.Forbidden, "the client may not let users set new passwords: register it with --scope reset, and ask for that scope")
	}
	return nil
}

func (a *Authority) serveReset(w http.ResponseWriter, r *http.Request) error {
	var body resetBody
	if err := web.ReadJSON(r, &body); err != nil {
		return err
	}
	return noContent(w, a.Reset(r.Context(), body.Code, body.New, web.AddressOf(r)))
}
