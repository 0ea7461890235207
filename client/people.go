package client

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"edict/platform/fault"
)

// Profile is what anybody is shown of a user.
type Profile struct {
	UserID      string `json:"userId"`
	Username    string `json:"username"`
	DisplayName string `json:"displayName"`
	AvatarURL   string `json:"avatarUrl"`
	Admin       bool   `json:"admin"`    // shown to admins
	Disabled    bool   `json:"disabled"` // shown to admins
}

// Account is a user as admins are shown it in the list.
type Account struct {
	Profile
	CreatedAt  time.Time       `json:"createdAt"`
	LastSeenAt *time.Time      `json:"lastSeenAt"` // nil: not since this is kept
	Devices    []AccountDevice `json:"devices"`
}

// AccountDevice is a device of an account.
type AccountDevice struct {
	DeviceID  string    `json:"deviceId"`
	Label     string    `json:"label"`
	Platform  string    `json:"platform"`
	Push      *string   `json:"push"` // the service that wakes it
	CreatedAt time.Time `json:"createdAt"`
}

// Session is where a user is signed in.
type Session struct {
	SessionID  string     `json:"sessionId"`
	UserID     string     `json:"userId"`
	Kind       string     `json:"kind"` // "password", "token" for one of edict token create, or "client" for one that a client got
	ClientID   *string    `json:"clientId"`
	DeviceID   *string    `json:"deviceId"`
	Scope      string     `json:"scope"`
	Address    string     `json:"address"`
	CreatedAt  *time.Time `json:"createdAt"`
	LastSeenAt *time.Time `json:"lastSeenAt"`
	ExpiresAt  *time.Time `json:"expiresAt"`
	Current    bool       `json:"current"` // the session of this client
}

// AuditEntry is a line of the audit trail.
type AuditEntry struct {
	ID      int64     `json:"id"`
	At      time.Time `json:"at"`
	Act     string    `json:"act"`
	By      string    `json:"by"`
	Via     string    `json:"via"`
	UserID  string    `json:"userId"`
	Address string    `json:"address"`
	Detail  string    `json:"detail"`
}

// Change is what UpdateUser changes; nil leaves as it is, "" takes away.
type Change struct {
	DisplayName *string `json:"displayName,omitempty"`
	AvatarURL   *string `json:"avatarUrl,omitempty"`
	Disabled    *bool   `json:"disabled,omitempty"` // for admins
}

func userPath(id string) string { return "/auth/users/" + url.PathEscape(id) }

// ChangePassword sets the password of a user. The user itself gives the old one, an admin none for others.
func (c *Client) ChangePassword(ctx context.Context, userID, old, password string) error {
	body := struct {
		Old string `json:"oldPassword,omitempty"`
		New string `json:"newPassword"`
	}{old, password}
	return c.call(ctx, http.MethodPut, userPath(userID)+"/password", body, nil)
}

// ResetCode returns a code with which a user can set a new password, and until when. It is for admins, and for clients with the scope reset.
func (c *Client) ResetCode(ctx context.Context, userID string) (code string, expires time.Time, err error) {
	var answer struct {
		Code      string
		ExpiresAt time.Time
	}
	err = c.call(ctx, http.MethodPost, userPath(userID)+"/reset", nil, &answer)
	return answer.Code, answer.ExpiresAt, err
}

// ResetPassword spends a code of ResetCode. The client needs no token for it.
func (c *Client) ResetPassword(ctx context.Context, code, password string) error {
	body := struct {
		Code string `json:"code"`
		New  string `json:"newPassword"`
	}{code, password}
	return c.call(ctx, http.MethodPost, "/auth/reset", body, nil)
}

// Sessions returns the sessions of a user, "" for the caller's own.
func (c *Client) Sessions(ctx context.Context, userID string) ([]Session, error) {
	var answer struct{ Sessions []Session }
	err := c.call(ctx, http.MethodGet, "/auth/sessions"+ofUser(userID), nil, &answer)
	return answer.Sessions, err
}

// EndSession ends a session, the caller's own or, for admins, anybody's.
func (c *Client) EndSession(ctx context.Context, id string) error {
	return c.call(ctx, http.MethodDelete, "/auth/sessions/"+url.PathEscape(id), nil, nil)
}

// EndSessions ends all sessions of a user, "" for the caller's own, this one too.
func (c *Client) EndSessions(ctx context.Context, userID string) error {
	return c.call(ctx, http.MethodDelete, "/auth/sessions"+ofUser(userID), nil, nil)
}

func ofUser(id string) string {
	if id == "" {
		return ""
	}
	return "?user=" + url.QueryEscape(id)
}

// UpdateUser changes a profile, or disables and enables a user.
func (c *Client) UpdateUser(ctx context.Context, userID string, change Change) (p Profile, err error) {
	err = c.call(ctx, http.MethodPatch, userPath(userID), change, &p)
	return p, err
}

// LookupUsers returns those of up to 1000 ids that exist.
func (c *Client) LookupUsers(ctx context.Context, ids []string) ([]Profile, error) {
	if ids == nil {
		ids = []string{}
	}
	var answer struct{ Users []Profile }
	err := c.call(ctx, http.MethodPost, "/auth/users/lookup", struct {
		IDs []string `json:"ids"`
	}{ids}, &answer)
	return answer.Users, err
}

// Users returns a page of all users with a text in their name, display name or id, and the cursor of the next page, "" at the
// end. It is for admins; cursor "" is the first page, size 0 the server's default.
func (c *Client) Users(ctx context.Context, text, cursor string, size int) (users []Account, next string, err error) {
	var answer struct {
		Users      []Account
		NextCursor string
	}
	query := pageQuery(cursor, size)
	query.Set("q", text)
	err = c.call(ctx, http.MethodGet, "/auth/users?"+query.Encode(), nil, &answer)
	return answer.Users, answer.NextCursor, err
}

func pageQuery(cursor string, size int) url.Values {
	query := url.Values{}
	if cursor != "" {
		query.Set("cursor", cursor)
	}
	if size > 0 {
		query.Set("size", strconv.Itoa(size))
	}
	return query
}

// RemoveUserDevice removes a device of a user. It is for admins.
func (c *Client) RemoveUserDevice(ctx context.Context, userID, deviceID string) error {
	return c.call(ctx, http.MethodDelete, userPath(userID)+"/devices/"+url.PathEscape(deviceID), nil, nil)
}

// RemoveUser removes a user with all that is the user's; with content, what the user published and sent is emptied.
func (c *Client) RemoveUser(ctx context.Context, userID string, content bool) error {
	return c.call(ctx, http.MethodDelete, userPath(userID)+"?content="+strconv.FormatBool(content), nil, nil)
}

// Export writes all that is stored about a user to w, a zip archive of JSON.
func (c *Client) Export(ctx context.Context, userID string, w io.Writer) error {
	r, err := c.request(ctx, http.MethodGet, userPath(userID)+"/export", nil)
	if err != nil {
		return err
	}
	resp, err := c.http().Do(r)
	if err != nil {
		return unreachable(c.URL, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return failure(resp)
	}
	if _, err := io.Copy(w, resp.Body); err != nil {
		return fault.Wrap(err, fault.Unavailable, "the export did not arrive whole; try again")
	}
	return nil
}

// Audit returns a page of the audit trail, the newest lines first, of a user or, for "", of everybody, and the cursor of the
// next page, "" at the end. It is for admins.
func (c *Client) Audit(ctx context.Context, userID, cursor string, size int) (entries []AuditEntry, next string, err error) {
	var answer struct {
		Entries    []AuditEntry
		NextCursor string
	}
	query := pageQuery(cursor, size)
	if userID != "" {
		query.Set("user", userID)
	}
	err = c.call(ctx, http.MethodGet, "/auth/audit?"+query.Encode(), nil, &answer)
	return answer.Entries, answer.NextCursor, err
}
