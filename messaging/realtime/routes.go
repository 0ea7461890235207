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
	anyCaller := web.Policy{Name: "any caller", Access: web.RequiredCaller, Description: "Any caller with a valid token; answers only what that caller may see."}
	readItems := web.Policy{Name: "MayReadItems", Access: web.RequiredCaller, Description: "Public channels: everybody. Private ones: owner and subscribers."}
	return []web.Route{
		a.tapRoute(),
		{
			Method: http.MethodGet, Path: prefix + "/events", Policy: anyCaller, Handle: a.events, Stream: true, Tickets: true,
			Doc: web.Doc{
				ID: "events", Summary: "Open a live stream",
				Description: "Everything for the caller as it happens, as Server-Sent Events, or over a WebSocket when the request asks for the upgrade: items of subscribed channels, messages, receipts, changes of channels. " +
					"With a cursor (Last-Event-ID, ?cursor= or a first resume frame) the stream begins with all that came after it; without one, with the messages that wait. docs/reference/streams.md shows the frames.",
				Params: []web.Param{
					{Name: "cursor", Description: "Where to go on: the id of the last event that was received."},
					{Name: "ticket", Description: "From POST /auth/ticket, for browsers, which cannot send a token."},
					{Name: "Last-Event-ID", In: "header", Description: "The same as cursor, sent by browsers when they reconnect; it wins."},
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
				ID: "presence", Summary: "See who is connected to a channel",
				Description: "The users who have a live stream that carries the channel now, at most 1000 of them, by id. count is the number of all.",
				Params: []web.Param{
					{Name: channelParam, In: "path", Type: web.Matching(`^([A-Za-z0-9_.-]{1,64}#)?[A-Za-z0-9_.-]{1,50}$`), Required: true, Example: "news", Description: "A public channel or the caller's own private one by its bare name, somebody's private channel as <user_id>#<name> (# is written %23)."},
					{Name: "personal", Type: false, Example: false, Description: "With a bare name: true is the caller's own private channel, false the public one. When absent, the public one if there is one, else the caller's own."},
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
