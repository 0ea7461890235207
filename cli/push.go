package cli

import (
	"context"
	"slices"

	"edict/messaging"
	"edict/messaging/delivery"
	"edict/messaging/msgapi"
)

// wakeups is what wakes devices that are not connected.
type wakeups struct {
	guard      *delivery.Guard
	dispatcher *delivery.Dispatcher
	info       msgapi.PushInfo
}

// openWakeups makes what wakes devices. It runs once there is a queue.
func (s *Server) openWakeups(store messaging.Store) (*wakeups, error) {
	cfg := s.cfg.Push
	guard, err := cfg.guard()
	if err != nil {
		return nil, err
	}
	secret := store.Identity().IDKey
	vapid, err := cfg.vapid(secret[:], s.env.Now)
	if err != nil {
		return nil, err
	}
	adapters, err := cfg.adapters(guard, vapid, s.env.Now)
	if err != nil {
		return nil, err
	}
	dispatcher, err := delivery.New(delivery.Options{
		Adapters: adapters, Concurrency: cfg.Concurrent, Timeout: cfg.Timeout, Registerer: s.metrics, Now: s.env.Now, Log: s.log,
	})
	if err != nil {
		return nil, err
	}
	w := &wakeups{guard: guard, dispatcher: dispatcher, info: msgapi.PushInfo{Services: slices.Sorted(slices.Values(cfg.Services))}}
	if cfg.uses("webpush") || cfg.uses("unifiedpush") {
		w.info.PublicKey = vapid.PublicKey()
	}
	return w, nil
}

// run wakes devices until the function it returns is called.
func (w *wakeups) run(q delivery.Queue) (stop func(context.Context) error) {
	end := background(func(ctx context.Context) error { return w.dispatcher.Run(ctx, q) })
	return func(ctx context.Context) error {
		defer w.guard.Close()
		return end(ctx)
	}
}
