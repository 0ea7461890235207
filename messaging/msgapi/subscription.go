package msgapi

import (
	"context"
	"net/http"

	"edict/messaging"
	"edict/platform/web"
)

// subscribing is the optional body of "subscribe".
type subscribing struct {
	DeviceID string `json:"deviceId,omitempty" pattern:"^[A-Za-z0-9_.-]{0,64}$" doc:"one of the caller's devices; default all"`
	Wake     string `json:"wake,omitempty" enum:"all,none" doc:"whether items wake disconnected devices: all or none; defaults to the earlier subscription's value, else none"`
}

// subscribed is the answer of "subscribe".
type subscribed struct {
	Code  int    `json:"code"`
	SubID string `json:"subId"`
	Msg   string `json:"msg"`
}

func (a *API) subscribe(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	ref, err := channelOf(r)
	if err != nil {
		return err
	}
	var body subscribing
	if r.ContentLength != 0 {
		if err := web.ReadJSON(r, &body); err != nil {
			return err
		}
	}
	wake, err := messaging.ParseWake(body.Wake)
	if err != nil {
		return err
	}
	sub, err := a.service.Subscribe(r.Context(), caller, ref, messaging.NewSubscription{Device: body.DeviceID, Wake: wake})
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, subscribed{Code: http.StatusOK, SubID: sub.ID, Msg: "Success"})
}

func (a *API) unsubscribe(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	ref, err := channelOf(r)
	if err != nil {
		return err
	}
	n, err := a.service.Unsubscribe(r.Context(), caller, ref)
	if err != nil {
		return err
	}
	return cancelled(w, n)
}

// subscription is one subscription in a list.
type subscription struct {
	UserID         string  `json:"userId"`
	ChannelName    string  `json:"channelName" doc:"<owner>#<name> for a private channel"`
	SubscriptionID string  `json:"subscriptionId"`
	DeviceID       *string `json:"deviceId" doc:"null: all devices of the user"`
}

func (a *API) subscriptions(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	ref, err := channelOf(r)
	if err != nil {
		return err
	}
	var subs []messaging.Subscription
	err = a.pages.run(r.Context(), func(ctx context.Context) (err error) {
		subs, err = a.service.Subscriptions(ctx, caller, ref, memoryOf(r))
		return err
	})
	if err != nil {
		return err
	}
	out := make(subscriptionList, len(subs))
	for i := range subs {
		out[i] = subscriptionOf(&subs[i])
	}
	return web.WriteJSON(w, http.StatusOK, out)
}

func (a *API) mySubscriptions(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	subs, err := a.service.MySubscriptions(r.Context(), caller)
	if err != nil {
		return err
	}
	out := make(mySubscriptionList, len(subs))
	for i := range subs {
		out[i] = a.mySubscriptionOf(&subs[i])
	}
	return web.WriteJSON(w, http.StatusOK, out)
}

// subscriptionList is the subscriptions of a channel.
type subscriptionList []subscription

// mySubscription is a subscription with what concerns its subscriber alone.
type mySubscription struct {
	subscription
	Wake     string  `json:"wake" doc:"whether items wake disconnected devices: all or none"`
	ReadUpTo *string `json:"readUpTo" doc:"last item that the caller has read; null for none"`
	Unread   int64   `json:"unread" doc:"later items by other users since the subscription"`
}

// mySubscriptionList is the subscriptions of the caller.
type mySubscriptionList []mySubscription

func (a *API) mySubscriptionOf(s *messaging.Subscription) mySubscription {
	m := mySubscription{subscription: subscriptionOf(s), Wake: s.Wake.String(), Unread: s.Unread}
	if s.ReadUpTo != 0 {
		m.ReadUpTo = orNull(a.service.Codec().ItemID(s.ReadUpTo))
	}
	return m
}

// reading is the body of "read".
type reading struct {
	UpTo string `json:"upTo" min:"1" doc:"last item that the caller has read"`
}

func (a *API) markRead(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	ref, err := channelOf(r)
	if err != nil {
		return err
	}
	var body reading
	if err := web.ReadJSON(r, &body); err != nil {
		return err
	}
	if body.UpTo == "" {
		return illegal("upTo is missing: give the id of the last item that was read")
	}
	if err := a.service.MarkRead(r.Context(), caller, ref, body.UpTo); err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, success{Message: "Success", Code: http.StatusOK})
}

func subscriptionOf(s *messaging.Subscription) subscription {
	return subscription{UserID: string(s.User), ChannelName: s.Name, SubscriptionID: s.ID, DeviceID: orNull(s.Device)}
}
