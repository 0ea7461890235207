package realtime

import (
	"context"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strings"

	"edict/messaging"
	"edict/platform/web"
)

// A tap is a stream of one channel for an operator, who need not be subscribed to it. It is a stream like others, by the same log, hub and
// cursors, but it stands below a key of its own among the users: so nothing that is for its caller comes over it, nobody is present by
// it, and no state of a delivery moves.

// tapKey is the key of a user's taps. No user id has a space.
func tapKey(user messaging.UserID) string { return tapPrefix + user.Fold() }

const tapPrefix = "tap "

func isTapKey(key string) bool { return strings.HasPrefix(key, tapPrefix) }

// tap opens a stream of a channel.
func (a *API) tap(w http.ResponseWriter, r *http.Request) error {
	caller := callerOf(r)
	if err := messaging.MayOperate(caller); err != nil {
		return err
	}
	start, err := a.openingOf(r)
	if err != nil {
		return err
	}
	ref, err := tappedRef(r)
	if err != nil {
		return err
	}
	channel, err := a.opts.Service.TapChannel(r.Context(), caller, ref)
	if err != nil {
		return err
	}
	s := a.newStream(caller, r)
	s.tapped, s.key = &channel, tapKey(caller.UserID)
	return a.serve(w, r, s, start)
}

// tappedRef reads the channel that the query names.
func tappedRef(r *http.Request) (messaging.Ref, error) {
	query := r.URL.Query()
	personal, err := messaging.ParsePersonal(query["personal"])
	if err != nil {
		return messaging.Ref{}, err
	}
	if names := query["channel"]; len(names) != 1 || names[0] == "" {
		return messaging.Ref{}, illegal("name one channel with ?channel=, a private one as <user_id>%%23<name>")
	}
	return messaging.ParseRef(query.Get("channel"), personal)
}

// begin returns what a stream begins with.
func (a *API) begin(ctx context.Context, s *stream) (messaging.StreamStart, error) {
	if s.tapped != nil {
		return a.opts.Service.BeginTap(ctx, s.tapped)
	}
	return a.opts.Service.BeginStream(ctx, s.caller)
}

// subscriptions returns the subscriptions of a stream's user, or the channel of a tap as if it were subscribed.
func (s *stream) subscriptions(rd messaging.Reader) ([]messaging.Subscription, error) {
	if s.tapped == nil {
		return rd.SubscriptionsOf(s.caller.UserID)
	}
	c, err := rd.ChannelByID(s.tapped.ID)
	if err != nil || c == nil {
		return nil, err
	}
	return []messaging.Subscription{{Channel: c.ID, Name: c.FullName(), Changed: c.Changed}}, nil
}

// allOf returns the streams of a user, or of everybody for "", taps included. Called with sh.mu held.
func (sh *shard) allOf(user messaging.UserID) iter.Seq[*stream] {
	return func(yield func(*stream) bool) {
		keys := []string{user.Fold(), tapKey(user)}
		if user == "" {
			keys = slices.Collect(maps.Keys(sh.users))
		}
		for _, key := range keys {
			for s := range sh.users[key] {
				if !yield(s) {
					return
				}
			}
		}
	}
}

func (a *API) tapRoute() web.Route {
	return web.Route{
		Method: http.MethodGet, Path: prefix + "/admin/events", Handle: a.tap, Stream: true, Tickets: true,
		Policy: web.Policy{Name: "MayOperate", Access: web.RequiredCaller, Description: "Admins."},
		Doc: web.Doc{
			ID: "tapChannel", Summary: "Stream any channel's events",
			Description: "Streams one channel's items, changes and gaps to an admin, as Server-Sent Events or over a WebSocket. The admin needs no subscription and does not appear in presence. Frames are those of GET /message/api/v2/events. " +
				"With a cursor it starts after the cursor, otherwise with the next event. Delivery states do not change. Opening it adds a line to the audit trail.",
			Params: []web.Param{
				{Name: "channel", Required: true, Example: "news", Description: "The name of a public channel, or <user_id>#<name> for a private one (encode # as %23)."},
				{Name: "personal", Type: false, Example: false, Description: "With a bare name: true selects the caller's private channel, false the public one."},
				{Name: "cursor", Description: "Position to resume from: the id of the last received event."},
				{Name: "ticket", Description: "Ticket from POST /auth/ticket, for browsers, which cannot send a token."},
				{Name: "Last-Event-ID", In: "header", Description: "Same as cursor, sent by browsers when they reconnect. It takes precedence."},
			},
			Answers: []web.Answer{
				{Status: http.StatusOK, ContentType: "text/event-stream", Type: "", Description: "Server-Sent Events.",
					Example: "event: item\nid: eedkr5d8mx6jh06bw3vj5nh000\ndata: {\"channelName\":\"news\",\"itemId\":\"0B3VK6M2T00000Q7HZJ4W9\",…}\n\n"},
				{Status: http.StatusSwitchingProtocols, Description: "WebSocket: one JSON object per event, {event, id, data}, one per line."},
				{Status: http.StatusBadRequest}, {Status: http.StatusUnauthorized}, {Status: http.StatusForbidden}, {Status: http.StatusNotFound}, {Status: http.StatusConflict}, {Status: http.StatusTooManyRequests}, {Status: http.StatusServiceUnavailable},
			},
		},
	}
}
