package msgapi

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"edict/messaging"
	"edict/platform/fault"
	"edict/platform/web"
)

// newChannel is the body of "create a channel". Fields that are absent keep the domain's default.
type newChannel struct {
	ChannelName         string          `json:"channelName" pattern:"^[A-Za-z0-9_.-]{1,50}$" doc:"name of the channel: 1–50 of A-Z a-z 0-9 _ . -"`
	MaxItems            *int64          `json:"maxItems,omitempty" min:"-1" doc:"number of items to keep: -1 all, 0 none (live delivery only)"`
	MaxAge              json.RawMessage `json:"maxAge,omitempty" schema:"seconds" doc:"seconds that items are kept, or a duration such as 24h; 0 or absent: the server's maximum"`
	PrivateChannel      bool            `json:"privateChannel,omitempty" doc:"true: in the caller's namespace"`
	Description         string          `json:"description,omitempty" max:"255" pattern:"^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]*$" doc:"up to 255 characters"`
	SubscribeOnCreate   *bool           `json:"subscribeOnCreate,omitempty" doc:"whether the creator is subscribed; true when absent"`
	SubscribeOneCreate  *bool           `json:"subscribeOneCreate,omitempty" doc:"alternative spelling of subscribeOnCreate, which takes precedence"`
	PublishPermission   *string         `json:"publishPermission,omitempty" enum:"anyone,owner,subscribers" doc:"users who may publish: anyone, owner or subscribers"`
	SubscriptionEnabled *bool           `json:"subscriptionEnabled,omitempty" doc:"whether other users may subscribe; default true"`
	InviteOnly          bool            `json:"inviteOnly,omitempty" doc:"private channels only: hidden from users who are not invited"`
	MaxPayloadSize      *int            `json:"maxPayloadSize,omitempty" min:"1" doc:"maximum content size of an item in bytes"`
	WakePreview         bool            `json:"wakePreview,omitempty" doc:"whether wake-up pushes may carry a preview of the item; default false"`
}

func (n *newChannel) input() (messaging.NewChannel, error) {
	in := messaging.DefaultNewChannel(n.ChannelName)
	in.Description, in.Private, in.InviteOnly = n.Description, n.PrivateChannel, n.InviteOnly
	in.WakePreview = n.WakePreview
	set(&in.MaxItems, n.MaxItems)
	age, err := ageOf(n.MaxAge)
	if err != nil {
		return in, err
	}
	set(&in.MaxAge, age)
	set(&in.Subscribe, n.SubscribeOneCreate)
	set(&in.Subscribe, n.SubscribeOnCreate)
	set(&in.SubscriptionEnabled, n.SubscriptionEnabled)
	if n.MaxPayloadSize != nil {
		if err := checkPayloadSize(*n.MaxPayloadSize); err != nil {
			return in, err
		}
		in.MaxPayload = *n.MaxPayloadSize
	}
	permission, err := permissionOf(n.PublishPermission)
	set(&in.Permission, permission)
	return in, err
}

// ageOf reads maxAge, a number of seconds or a duration; nil for none.
func ageOf(raw json.RawMessage) (*time.Duration, error) {
	text := string(raw)
	if text == "" || text == "null" {
		return nil, nil
	}
	if text[0] == '"' && json.Unmarshal(raw, &text) != nil {
		return nil, illegal("maxAge: %s is not an age", messaging.Clip(text))
	}
	age, err := messaging.ParseAge(text)
	if err != nil {
		return nil, illegal("maxAge: %s", fault.From(err).Message)
	}
	return &age, nil
}

func checkPayloadSize(n int) error {
	if n < 1 {
		return illegal("maxPayloadSize: %d is not a positive number of bytes", n)
	}
	return nil
}

// permissionOf reads a publish permission, nil for none.
func permissionOf(name *string) (*messaging.Permission, error) {
	if name == nil {
		return nil, nil
	}
	if *name == "" {
		return nil, illegal("publishPermission is empty: use anyone, owner or subscribers")
	}
	permission, err := messaging.ParsePermission(*name)
	if err != nil {
		return nil, err
	}
	return &permission, nil
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

func (a *API) createChannel(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	var body newChannel
	if err := web.ReadJSON(r, &body); err != nil {
		return err
	}
	in, err := body.input()
	if err != nil {
		return err
	}
	if _, err := a.service.CreateChannel(r.Context(), caller, in); err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusCreated, success{Message: "Channel created"})
}

// channelRecord is a channel in search results.
type channelRecord struct {
	Name                string `json:"name"`
	Description         string `json:"description"`
	Creator             string `json:"creator" doc:"<userId>%<appId>@<domain>/<deviceId or ->"`
	CreationDate        string `json:"creationDate"`
	ModifiedDate        string `json:"modifiedDate"`
	Persistent          bool   `json:"persistent"`
	MaxItems            int64  `json:"maxItems"`
	MaxAge              int64  `json:"maxAge,omitempty" doc:"seconds that items are kept; absent: no limit"`
	MaxPayloadSize      int    `json:"maxPayloadSize"`
	SubscriptionEnabled bool   `json:"subscriptionEnabled"`
	PublishPermission   string `json:"publishPermission,omitempty"`
	PrivateChannel      bool   `json:"privateChannel"`
	Collection          bool   `json:"collection"`
	InviteOnly          *bool  `json:"inviteOnly,omitempty" doc:"private channels only; visible to owner and members"`
}

// channelReading is a channel read by name: the permission has another name there, and the owner of
// a private channel is shown.
type channelReading struct {
	channelRecord
	PublisherPermission string  `json:"publisherPermission"`
	UserID              *string `json:"userId" doc:"owner of a private channel, null for a public one"`
	Owner               *string `json:"owner" doc:"the owner; null after the account was deleted"`
	WakePreview         bool    `json:"wakePreview" doc:"whether wake-up pushes may carry a preview of the item"`
}

func (a *API) reading(v *messaging.ChannelView) channelReading {
	out := channelReading{
		channelRecord: a.record(&v.Channel, v.Member), UserID: privateOwner(&v.Channel), Owner: orNull(string(v.Owner)), WakePreview: v.WakePreview,
	}
	out.PublisherPermission, out.PublishPermission = out.PublishPermission, ""
	return out
}

// searchResult is the answer of a search.
type searchResult struct {
	Total   int             `json:"total" doc:"number of matching channels on all pages"`
	Results []channelRecord `json:"results"`
}

func (a *API) record(c *messaging.Channel, member bool) channelRecord {
	limits := a.service.Limits()
	rec := channelRecord{
		Name: c.Name, Description: c.Description, Creator: a.creator(c),
		CreationDate: formatTime(c.Created), ModifiedDate: formatTime(c.Modified),
		Persistent: c.Persistent(), MaxItems: limits.KeepsItems(c), MaxAge: int64(limits.KeepsFor(c) / time.Second), MaxPayloadSize: c.MaxPayload,
		SubscriptionEnabled: c.SubscriptionEnabled, PublishPermission: c.Permission.String(), PrivateChannel: c.Private,
	}
	if member && c.Private {
		rec.InviteOnly = &c.InviteOnly
	}
	return rec
}

func (a *API) creator(c *messaging.Channel) string {
	device := c.CreatorDevice
	if device == "" || c.Creator == "" {
		device = "-"
	}
	return c.Creator.OrDeleted() + "%" + a.appID + "@" + a.domain + "/" + device
}

func (a *API) searchChannels(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	q := queryOf(r)
	search := messaging.Search{
		Name: q.text("channelName"), Description: q.text("description"), Tags: q.values["tag"],
		Offset: q.integer("offset", 0), Size: q.integer("size", messaging.DefaultPage),
	}
	switch match := q.text("tagMatch"); match {
	case "", "any":
	case "all":
		search.AllTags = true
	default:
		q.fail("tagMatch: %q is neither any nor all", messaging.Clip(match))
	}
	if q.err != nil {
		return q.err
	}
	var found []messaging.Channel
	total := 0
	err := a.searches.run(r.Context(), caller.UserID, func(ctx context.Context) (err error) {
		found, total, err = a.service.SearchChannels(ctx, caller, search)
		return err
	})
	if err != nil {
		return err
	}
	out := searchResult{Total: total, Results: make([]channelRecord, len(found))}
	for i := range found {
		// A search finds nobody's private channels but the caller's own.
		out.Results[i] = a.record(&found[i], true)
	}
	return web.WriteJSON(w, http.StatusOK, out)
}

func (a *API) readChannel(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	ref, err := channelOf(r)
	if err != nil {
		return err
	}
	view, err := a.service.ReadChannel(r.Context(), caller, ref)
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, a.reading(&view))
}

// channelChange is the body of "change a channel". What is absent stays as it is.
type channelChange struct {
	Description         *string           `json:"description,omitempty" max:"255" pattern:"^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]*$" doc:"up to 255 characters"`
	MaxItems            *int64            `json:"maxItems,omitempty" min:"-1" doc:"number of items to keep: -1 all, 0 none; a lower number deletes the oldest items immediately"`
	MaxAge              json.RawMessage   `json:"maxAge,omitempty" schema:"seconds" doc:"seconds that items are kept, or a duration such as 24h; 0: the server's maximum; older items are removed within seconds"`
	PublishPermission   *string           `json:"publishPermission,omitempty" enum:"anyone,owner,subscribers" doc:"users who may publish: anyone, owner or subscribers"`
	SubscriptionEnabled *bool             `json:"subscriptionEnabled,omitempty" doc:"whether other users may subscribe; existing subscriptions stay"`
	InviteOnly          *bool             `json:"inviteOnly,omitempty" doc:"private channels only: hidden from users who are neither invited nor subscribed"`
	MaxPayloadSize      *int              `json:"maxPayloadSize,omitempty" min:"1" doc:"maximum content size of an item in bytes"`
	WakePreview         *bool             `json:"wakePreview,omitempty" doc:"whether wake-up pushes may carry a preview of the item"`
	Owner               *messaging.UserID `json:"owner,omitempty" pattern:"^[A-Za-z0-9_.-]{1,64}$" doc:"public channels only: the next owner, who must be subscribed"`
}

func (c *channelChange) input() (messaging.ChannelChange, error) {
	in := messaging.ChannelChange{
		Description: c.Description, MaxItems: c.MaxItems, SubscriptionEnabled: c.SubscriptionEnabled, InviteOnly: c.InviteOnly,
		MaxPayload: c.MaxPayloadSize, WakePreview: c.WakePreview, Owner: c.Owner,
	}
	age, err := ageOf(c.MaxAge)
	if err != nil {
		return in, err
	}
	in.MaxAge = age
	permission, err := permissionOf(c.PublishPermission)
	in.Permission = permission
	if err == nil && c.MaxPayloadSize != nil {
		err = checkPayloadSize(*c.MaxPayloadSize)
	}
	return in, err
}

func (a *API) changeChannel(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	ref, err := channelOf(r)
	if err != nil {
		return err
	}
	var body channelChange
	if err := web.ReadJSON(r, &body); err != nil {
		return err
	}
	in, err := body.input()
	if err != nil {
		return err
	}
	view, err := a.service.ChangeChannel(r.Context(), caller, ref, in)
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, a.reading(&view))
}

func privateOwner(c *messaging.Channel) *string {
	if !c.Private {
		return nil
	}
	return orNull(string(c.Owner))
}

// channelSummary is the answer of "summary".
type channelSummary struct {
	UserID             *string `json:"userId" doc:"owner of a private channel, null for a public one"`
	ChannelName        string  `json:"channelName"`
	PublishedItemCount int64   `json:"publishedItemCount" doc:"items kept now"`
	LastPublishedTime  *string `json:"lastPublishedTime" doc:"null when nothing was ever published"`
}

func (a *API) channelSummary(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	ref, err := channelOf(r)
	if err != nil {
		return err
	}
	s, err := a.service.ChannelSummary(r.Context(), caller, ref)
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, channelSummary{
		UserID: privateOwner(&s.Channel), ChannelName: s.Channel.Name, PublishedItemCount: s.Items,
		LastPublishedTime: formatTimeOrNull(s.LastPublished, zuluTime),
	})
}

func (a *API) deleteChannel(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	ref, err := publicByDefault(channelOf(r))
	if err != nil {
		return err
	}
	if err := a.service.DeleteChannel(r.Context(), caller, ref); err != nil {
		return err
	}
	return done(w)
}

// invitation is the body of "invite".
type invitation struct {
	UserIDs []messaging.UserID `json:"userIds" min:"1" max:"1000" pattern:"^[A-Za-z0-9_.-]{1,64}$" doc:"users to invite"`
}

// invited is the answer of "invite".
type invited struct {
	Invited int `json:"invited" doc:"number of users who were not invited before"`
}

func (a *API) invite(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	ref, err := channelOf(r)
	if err != nil {
		return err
	}
	var body invitation
	if err := web.ReadJSON(r, &body); err != nil {
		return err
	}
	n, err := a.service.Invite(r.Context(), caller, ref, body.UserIDs)
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, invited{n})
}

func (a *API) withdrawInvite(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	ref, err := channelOf(r)
	if err != nil {
		return err
	}
	if err := a.service.WithdrawInvite(r.Context(), caller, ref, userOf(r)); err != nil {
		return err
	}
	return done(w)
}
