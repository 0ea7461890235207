package cli

import (
	"context"
	"errors"

	"edict/messaging"
	"edict/messaging/realtime"
	"edict/platform/auth"
	"edict/platform/heap"
	"edict/platform/web"
)

// openHub makes the hub of live streams, which messaging announces its changes to. Streams leave a quarter of the connections to
// requests, at least 128 or half of all: where there are few, clients that come and go take as many as where there are many.
func (s *Server) openHub(store messaging.Store, elsewhere realtime.Elsewhere, departures realtime.Departures) (*realtime.Hub, error) {
	connections := web.Connections(s.cfg.Limits.Connections)
	hub, err := realtime.NewHub(realtime.Options{
		Codec: messaging.NewCodec(store.Identity()), Registerer: s.metrics, Now: s.env.Now, Log: s.log, Elsewhere: elsewhere, Departures: departures,
		Heartbeat: s.cfg.Messaging.Heartbeat, Queue: int(s.cfg.Messaging.StreamQueue),
		Replays: heap.NewBudget(s.cfg.Limits.replays()),
		InAll:   connections - min(max(connections/4, 128), connections/2), PerUser: s.cfg.Messaging.Streams, PerAddress: s.cfg.Messaging.StreamsPerAddress,
	})
	if err != nil {
		return nil, err
	}
	s.identity.OnRevoke(func(r auth.Revocation) {
		hub.Revoke(r.Whose(), func(c *web.Caller) bool { return r.Covers(c) })
	})
	return hub, nil
}

// openStreams adds the routes of live streams, for those whom admit lets in, to the messaging service and returns what closes
// the streams before the rest of it.
func (s *Server) openStreams(hub *realtime.Hub, store messaging.Store, service *web.Service, admit func(web.Handler) web.Handler, rest func(context.Context) error) func(context.Context) error {
	api := realtime.NewAPI(realtime.APIOptions{
		Hub: hub, Service: s.messaging, Store: store, Authenticator: s.identity, Origins: s.cfg.Messaging.Origins,
	})
	for _, route := range api.Routes() {
		route.Handle = admit(route.Handle)
		service.Routes = append(service.Routes, route)
	}
	return func(ctx context.Context) error { return errors.Join(api.Close(ctx), rest(ctx)) }
}
