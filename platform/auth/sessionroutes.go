package auth

import (
	"net/http"

	"edict/platform/web"
)

func (a *Authority) sessionRoutes() []web.Route {
	user := web.Param{Name: "user", Description: "the id of another user, for admins", Example: "bob"}
	return []web.Route{
		{
			Method: http.MethodGet, Path: "/auth/sessions", Policy: selfOr, Handle: a.serveSessions,
			Doc: web.Doc{
				ID: "listSessions", Summary: "List sessions",
				Description: "Returns the caller's sessions, last used first: sign-ins, tokens from edict token create and tokens issued to clients. current marks the session of the request.",
				Params:      []web.Param{user},
				Answers: []web.Answer{{Status: http.StatusOK, Example: sessionsBody{Sessions: []sessionBody{{
					ID: "9f86d081884c7d659a2feaa0c55ad015", UserID: "bob", Kind: kindPassword, DeviceID: new("phone"), Scope: ScopeMessaging, Address: "192.0.2.7",
					CreatedAt: new("2026-11-01T08:00:00.000Z"), LastSeenAt: new("2026-11-16T11:00:00.000Z"), ExpiresAt: new("2026-12-16T11:00:00.000Z"), Current: true,
				}}}}, {Status: http.StatusNotFound, Description: "there is no such user"}},
			},
		},
		{
			Method: http.MethodDelete, Path: "/auth/sessions", Policy: selfOr, Handle: a.serveEndSessions,
			Doc: web.Doc{
				ID: "endSessions", Summary: "End all sessions",
				Description: "Ends all sessions of the caller, including this one, or of the given user. Tokens stop working immediately and streams end.",
				Params:      []web.Param{user},
				Answers:     []web.Answer{{Status: http.StatusNoContent}, {Status: http.StatusNotFound, Description: "there is no such user"}},
			},
		},
		{
			Method: http.MethodDelete, Path: "/auth/sessions/{id}", Policy: selfOr, Handle: a.serveEndSession,
			Doc: web.Doc{
				ID: "endSession", Summary: "End a session",
				Description: "Its tokens stop working immediately and its streams end.",
				Answers:     []web.Answer{{Status: http.StatusNoContent}, {Status: http.StatusNotFound, Description: "the caller has no such session; for admins, no user has"}},
			},
		},
	}
}

type sessionBody struct {
	ID         string  `json:"sessionId"`
	UserID     string  `json:"userId"`
	Kind       string  `json:"kind" doc:"password for a sign-in, token for edict token create, client for a token issued to a client"`
	ClientID   *string `json:"clientId" doc:"client of the sign-in; null for none"`
	DeviceID   *string `json:"deviceId" doc:"null without a device"`
	Scope      string  `json:"scope"`
	Address    string  `json:"address" doc:"address of the last token request; empty if unknown"`
	CreatedAt  *string `json:"createdAt"`
	LastSeenAt *string `json:"lastSeenAt"`
	ExpiresAt  *string `json:"expiresAt"`
	Current    bool    `json:"current" doc:"the session of this request"`
}

type sessionsBody struct {
	Sessions []sessionBody `json:"sessions"`
}

// userAsked returns the user whose sessions a request is about.
func userAsked(r *http.Request, what string) (string, error) {
	id, given, err := single(r.URL.Query(), "user")
	if err != nil {
		return "", err
	}
	if !given {
		return web.CallerOf(r).UserID, nil
	}
	_, err = self(r, id, what)
	return id, err
}

func (a *Authority) serveSessions(w http.ResponseWriter, r *http.Request) error {
	id, err := userAsked(r, "see the sessions of others")
	if err != nil {
		return err
	}
	all, err := a.Sessions(r.Context(), id)
	if err != nil {
		return err
	}
	if by := byOf(r); FoldID(by.UserID) != FoldID(id) {
		if err := a.AuditLook(r.Context(), by, ActSessionsRead, id, ""); err != nil {
			return err
		}
	}
	answer := sessionsBody{Sessions: make([]sessionBody, 0, len(all))}
	for _, s := range all {
		answer.Sessions = append(answer.Sessions, sessionOn(s, sessionOf(web.CallerOf(r).TokenID)))
	}
	return web.WriteJSON(w, http.StatusOK, answer)
}

// sessionOn returns a session as it is shown to a caller of the session current.
func sessionOn(s Session, current string) sessionBody {
	b := sessionBody{
		ID: s.ID, UserID: s.UserID, Kind: s.Kind, Scope: s.Scope, Address: s.Address,
		CreatedAt: stamp(s.Created), LastSeenAt: stamp(s.Seen), ExpiresAt: stamp(s.Expires), Current: s.ID == current,
	}
	if s.DeviceID != "" {
		b.DeviceID = &s.DeviceID
	}
	if s.ClientID != "" {
		b.ClientID = &s.ClientID
	}
	return b
}

func (a *Authority) serveEndSessions(w http.ResponseWriter, r *http.Request) error {
	id, err := userAsked(r, "end the sessions of others")
	if err != nil {
		return err
	}
	return noContent(w, a.EndSessions(r.Context(), byOf(r), id, ""))
}

func (a *Authority) serveEndSession(w http.ResponseWriter, r *http.Request) error {
	caller := web.CallerOf(r)
	owner := caller.UserID
	if caller.Admin {
		owner = ""
	}
	return noContent(w, a.EndSession(r.Context(), byOf(r), owner, r.PathValue("id")))
}
