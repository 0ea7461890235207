package auth

import (
	"net/http"
	"strconv"
	"strings"

	"edict/platform/names"
	"edict/platform/web"
)

func (a *Authority) auditRoutes() []web.Route {
	return []web.Route{{
		Method: http.MethodGet, Path: "/auth/audit", Policy: adminPolicy, Handle: a.serveAudit,
		Doc: web.Doc{
			ID: "audit", Summary: "Read the audit trail",
			Description: "Returns failed sign-ins, password and client changes, acts of clients, and admins' acts on other users' data, newest first. Each entry has actor, act, affected user, time and origin. Repeated reads within ten minutes are recorded once. " +
				"With user, what is about that user and what that user did to others. Entries are kept as long as --auth-audit-retention says.",
			Params: []web.Param{{Name: "user", Description: "the id of a user, or @ and the id of a client", Example: "bob"}, cursorParam, sizeParam},
			Answers: []web.Answer{{Status: http.StatusOK, Example: auditBody{Entries: []auditEntryBody{{
				ID: 17, At: new("2026-11-16T11:00:00.000Z"), Act: ActPasswordChanged, By: "admin", Via: viaHTTP, UserID: "bob", Address: "192.0.2.7",
			}}}}},
		},
	}}
}

type auditEntryBody struct {
	ID      int64   `json:"id"`
	At      *string `json:"at"`
	Act     Act     `json:"act"`
	By      string  `json:"by" doc:"id of the acting user, or @ and the id of a client; empty without sign-in and on the command line"`
	Via     string  `json:"via" doc:"http, command line, or server for automatic acts"`
	UserID  string  `json:"userId" doc:"id of the affected user, or @ and the id of a client; empty when there is no such user"`
	Address string  `json:"address"`
	Detail  string  `json:"detail"`
}

type auditBody struct {
	Entries    []auditEntryBody `json:"entries"`
	NextCursor *string          `json:"nextCursor" doc:"null at the end"`
}

func (a *Authority) serveAudit(w http.ResponseWriter, r *http.Request) error {
	if err := adminOnly(web.CallerOf(r), "read the audit trail"); err != nil {
		return err
	}
	query := r.URL.Query()
	user, _, err := single(query, "user")
	if err != nil {
		return err
	}
	p, err := pageOf(query)
	if err != nil {
		return err
	}
	before := int64(0)
	if p.after != "" {
		if before, err = strconv.ParseInt(p.after, 10, 64); err != nil || before < 1 {
			return errCursor
		}
	}
	entries, err := a.Audit(r.Context(), user, before, p.size)
	if err != nil {
		return err
	}
	if !names.IsID(strings.TrimPrefix(user, "@")) {
		user = "" // nobody has it, and nothing that was typed is in the trail
	}
	if err := a.AuditLook(r.Context(), byOf(r), ActAuditRead, user, ""); err != nil {
		return err
	}
	answer := auditBody{Entries: make([]auditEntryBody, 0, len(entries))}
	for _, e := range entries {
		answer.Entries = append(answer.Entries, auditEntryOf(e))
	}
	if len(entries) == p.size {
		answer.NextCursor = writeCursor(strconv.FormatInt(entries[len(entries)-1].Seq, 10))
	}
	return web.WriteJSON(w, http.StatusOK, answer)
}

func auditEntryOf(e AuditEntry) auditEntryBody {
	return auditEntryBody{ID: e.Seq, At: stamp(e.At), Act: e.Act, By: e.By.UserID, Via: e.Via, UserID: e.UserID, Address: e.By.Address, Detail: e.Detail}
}
