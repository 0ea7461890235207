package msgapi

import (
	"context"
	"fmt"
	"net/http"

	"edict/messaging"
	"edict/platform/web"
)

// userParam is the path parameter of a user.
const userParam = "user_id"

func userOf(r *http.Request) messaging.UserID { return messaging.UserID(r.PathValue(userParam)) }

// cancelled answers with how many subscriptions were ended.
func cancelled(w http.ResponseWriter, n int) error {
	text := "1 subscription is cancelled"
	if n != 1 {
		text = fmt.Sprintf("%d subscriptions are cancelled", n)
	}
	return web.WriteJSON(w, http.StatusOK, success{Message: text, Code: http.StatusOK})
}

func (a *API) removeMember(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	ref, err := channelOf(r)
	if err != nil {
		return err
	}
	n, err := a.service.RemoveMember(r.Context(), caller, ref, userOf(r))
	if err != nil {
		return err
	}
	return cancelled(w, n)
}

// ban handles what is done about one user's ban.
func (a *API) ban(do func(context.Context, messaging.Caller, messaging.Ref, messaging.UserID) error) func(http.ResponseWriter, *http.Request, messaging.Caller) error {
	return func(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
		ref, err := channelOf(r)
		if err != nil {
			return err
		}
		if err := do(r.Context(), caller, ref, userOf(r)); err != nil {
			return err
		}
		return web.WriteJSON(w, http.StatusOK, success{Message: "Success", Code: http.StatusOK})
	}
}

// bannedUser is one of those who are banned from a channel.
type bannedUser struct {
	UserID     string `json:"userId"`
	BannedDate string `json:"bannedDate"`
}

// banList is the answer of "list bans".
type banList struct {
	Bans       []bannedUser `json:"bans"`
	NextCursor *string      `json:"nextCursor" doc:"null on the last page"`
}

func (a *API) bans(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	page, err := tiePage(r, caller, a.service.Bans)
	if err != nil {
		return err
	}
	out := banList{Bans: make([]bannedUser, len(page.Ties)), NextCursor: orNull(page.Next)}
	for i, t := range page.Ties {
		out.Bans[i] = bannedUser{UserID: string(t.User), BannedDate: formatTime(t.At.Time())}
	}
	return web.WriteJSON(w, http.StatusOK, out)
}

// invitedUser is one of those who are invited to a channel.
type invitedUser struct {
	UserID string `json:"userId"`
}

// invitationList is the answer of "list invitations".
type invitationList struct {
	Invitations []invitedUser `json:"invitations"`
	NextCursor  *string       `json:"nextCursor" doc:"null on the last page"`
}

func (a *API) invitations(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	page, err := tiePage(r, caller, a.service.Invitations)
	if err != nil {
		return err
	}
	out := invitationList{Invitations: make([]invitedUser, len(page.Ties)), NextCursor: orNull(page.Next)}
	for i, t := range page.Ties {
		out.Invitations[i] = invitedUser{UserID: string(t.User)}
	}
	return web.WriteJSON(w, http.StatusOK, out)
}

func tiePage(
	r *http.Request, caller messaging.Caller, list func(context.Context, messaging.Caller, messaging.Ref, string, int) (messaging.TiePage, error),
) (messaging.TiePage, error) {
	ref, err := channelOf(r)
	if err != nil {
		return messaging.TiePage{}, err
	}
	q := queryOf(r)
	cursor, size := q.text("cursor"), q.integer("size", messaging.DefaultPage)
	if q.err != nil {
		return messaging.TiePage{}, q.err
	}
	return list(r.Context(), caller, ref, cursor, size)
}

func (a *API) memberRoutes() []web.Route {
	next := exampleCursor
	return []web.Route{
		{
			Method: http.MethodDelete, Path: channel + "/subscriptions/{" + userParam + "}", Policy: mayRemove, Handle: a.handle(a.removeMember),
			Doc: web.Doc{
				ID: "removeMember", Summary: "End a user's subscriptions",
				Description: "Ends a user's subscriptions to a channel. The user gets a removed event. An invitation stays; ban the user to prevent a return.",
				Params:      []web.Param{nameParam, memberParam, personalParam},
				Answers:     answers(http.StatusOK, success{Message: "1 subscription is cancelled", Code: 200}, http.StatusForbidden, http.StatusNotFound, http.StatusConflict, http.StatusGone),
			},
		},
		{
			Method: http.MethodPut, Path: channel + "/bans/{" + userParam + "}", Policy: mayBan, Handle: a.handle(a.ban(a.service.Ban)),
			Doc: web.Doc{
				ID: "ban", Summary: "Ban a user",
				Description: "Bans a user, member or not, from a channel: subscriptions and invitation end, and reading, subscribing and publishing are forbidden. The user gets a banned event. They can still read a public channel's record; a private channel returns 404. Repeating the call changes nothing.",
				Params:      []web.Param{nameParam, memberParam, personalParam},
				Answers:     answers(http.StatusOK, success{Message: "Success", Code: 200}, http.StatusForbidden, http.StatusNotFound, http.StatusConflict),
			},
		},
		{
			Method: http.MethodDelete, Path: channel + "/bans/{" + userParam + "}", Policy: mayBan, Handle: a.handle(a.ban(a.service.Unban)),
			Doc: web.Doc{
				ID: "unban", Summary: "Lift a ban",
				Description: "Lifts a ban. The user gets an unbanned event. This does not restore the subscription or the invitation. Without a ban nothing changes.",
				Params:      []web.Param{nameParam, memberParam, personalParam},
				Answers:     answers(http.StatusOK, success{Message: "Success", Code: 200}, http.StatusForbidden, http.StatusNotFound, http.StatusConflict),
			},
		},
		{
			Method: http.MethodGet, Path: channel + "/bans", Policy: mayBan, Handle: a.handle(a.bans),
			Doc: web.Doc{
				ID: "listBans", Summary: "List bans",
				Description: "Returns a channel's banned users in pages.",
				Params:      []web.Param{nameParam, personalParam, cursorParam, sizeParam},
				Answers:     answers(http.StatusOK, banList{Bans: []bannedUser{{UserID: exampleUser, BannedDate: exampleTime}}, NextCursor: &next}, http.StatusForbidden, http.StatusNotFound, http.StatusConflict),
			},
		},
		{
			Method: http.MethodGet, Path: channel + "/invitations", Policy: mayInvite, Handle: a.handle(a.invitations),
			Doc: web.Doc{
				ID: "listInvitations", Summary: "List invitations",
				Description: "Returns a channel's invited users in pages, subscribed or not.",
				Params:      []web.Param{nameParam, personalParam, cursorParam, sizeParam},
				Answers:     answers(http.StatusOK, invitationList{Invitations: []invitedUser{{UserID: exampleUser}}}, http.StatusForbidden, http.StatusNotFound, http.StatusConflict),
			},
		},
	}
}
