package realtime

import (
	"net/http"

	"edict/messaging"
	"edict/platform/web"
)

const (
	prefix       = "/message/api/v2"
	channelParam = "channel_name"
)

// Routes returns the rows of the table, for the service they belong to.
func (a *API) Routes() []web.Route {
	anyCaller := web.Policy{Name: "any caller", Access: web.RequiredCaller, Description: "Any caller with a valid token; the response contains only data that the caller may see."}
	readItems := web.Policy{Name: "MayReadItems", Access: web.RequiredCaller, Description: "Public channels: all users. Private channels: owner and subscribers."}
	return []web.Route{
		a.tapRoute(),
		{
			Method: http.MethodGet, Path: prefix + "/events", Policy: anyCaller, Handle: a.events, Stream: true, Tickets: true,
			Doc: web.Doc{
				ID: "events", Summary: "Open a live stream",
				Description: "Streams the caller's events as Server-Sent Events, or over a WebSocket on upgrade: items of subscribed channels, messages, receipts and channel changes. " +
					"With a cursor (Last-Event-ID, ?cursor= or a first resume frame) the stream replays later events. Without one it starts with pending messages. See docs/reference/streams.md for frames.",
				Params: []web.Param{
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
		},
		{
			Method: http.MethodGet, Path: prefix + "/channels/{" + channelParam + "}/presence", Policy: readItems, Handle: a.presence,
			Doc: web.Doc{
				ID: "presence", Summary: "List connected users of a channel",
				Description: "Returns up to 1000 users with a live stream that carries the channel, by id. count is the total.",
				Params: []web.Param{
					{Name: channelParam, In: "path", Type: web.Matching(`^([A-Za-z0-9_.-]{1,64}#)?[A-Za-z0-9_.-]{1,50}$`), Required: true, Example: "news", Description: "The bare name of a public channel or of the caller's private channel, or <user_id>#<name> for any private channel (encode # as %23)."},
					{Name: "personal", Type: false, Example: false, Description: "With a bare name: true selects the caller's private channel, false the public one. Default: the public one if it exists, else the caller's."},
				},
				Answers: []web.Answer{
					{Status: http.StatusOK, Example: presenceBody{ChannelName: "news", Count: 1, Users: []presentUser{{UserID: "9f3c0d6a41e24f7f8d1b7c5a2e6b9d10", Devices: []string{"phone"}, Streams: 2}}}},
					{Status: http.StatusBadRequest}, {Status: http.StatusUnauthorized}, {Status: http.StatusForbidden}, {Status: http.StatusNotFound}, {Status: http.StatusConflict}, {Status: http.StatusTooManyRequests},
				},
			},
		},
	}
}

// refOf reads the channel a request names.
func refOf(r *http.Request) (messaging.Ref, error) {
	personal, err := messaging.ParsePersonal(r.URL.Query()["personal"])
	if err != nil {
		return messaging.Ref{}, err
	}
	return messaging.ParseRef(r.PathValue(channelParam), personal)
}
