package cli

import (
	"context"
	"errors"
	"time"

	"edict/messaging"
	"edict/messaging/msgapi"
	"edict/messaging/sqlstore"
	"edict/platform/auth"
	"edict/platform/db"
	"edict/platform/heap"
	"edict/platform/web"
	"edict/watch"
)

// openMessaging opens channels, items and messages on the store, and sweeps what has expired until it is closed.
func openMessaging(ctx context.Context, s *Server) (part, error) {
	limits := s.cfg.Storage.bound(s.cfg.Messaging.limits())
	store, err := sqlstore.Open(ctx, s.store, sqlstore.Options{Keeps: limits.KeepsItems, Now: s.storeClock(), Audit: auditIn(s.identity), Exists: existsIn(s.identity)})
	if err != nil {
		return part{}, err
	}
	wake, err := s.openWakeups(store)
	if err != nil {
		return part{}, err
	}
	presence, departures := sqlstore.NewPresence(s.store, s.log), messaging.NewDepartures()
	hub, err := s.openHub(store, presence, departures)
	if err != nil {
		return part{}, err
	}
	presence.Begin(hub, func(users []string) { departures.Lost(users, time.Now()) })
	observe, err := observeStates(s.metrics)
	if err != nil {
		return part{}, err
	}
	announcer, err := countPublishes(s.metrics, hub)
	if err != nil {
		return part{}, err
	}
	s.messaging = messaging.New(messaging.Config{
		Announcer: announcer, Presence: hub, Waker: wake.dispatcher, CheckTarget: wake.guard.CheckTarget, Observe: observe,
		Store: store, Users: userDirectory{s.identity}, Limits: limits, Now: s.env.Now, Log: s.log, Sweeps: s.store.Eldest,
		MayGrow: s.store.Room, Nodes: presence.Nodes,
	})
	options := s.cfg.Messaging.options(s.messaging, s.env.Now)
	options.Push, options.Nodes = wake.info, presence.Nodes
	api := msgapi.New(options)
	s.identity.Keep(userKeeper{s.messaging, api, s.store, func() *watch.Service { return s.watches }})
	service := api.WebService()
	service.Memory = heap.NewBudget(s.cfg.Limits.messages())
	service.CORS = s.cfg.Messaging.cors()
	watch, err := s.openMonitor(&service, api.Admit)
	if err != nil {
		return part{}, err
	}
	tell := background(presence.Run)
	if err := presence.Await(ctx); err != nil {
		return part{}, errors.Join(err, tell(ctx))
	}
	sweep, items, push := background(s.messaging.Run), background(messaging.NewItemWaker(s.messaging).Run), wake.run(s.messaging)
	left := background(func(ctx context.Context) error { return departures.Run(ctx, s.messaging, presence.Tell) })
	stop := s.openStreams(hub, store, &service, api.Admit, func(ctx context.Context) error {
		return errors.Join(watch(ctx), left(ctx), items(ctx), push(ctx), sweep(ctx), tell(ctx))
	})
	return part{services: []web.Service{service}, demo: s.demoMessaging, close: stop}, nil
}

// auditIn returns what writes acts of messaging to the audit trail of identity. They are named after the operations of the API.
func auditIn(identity *auth.Authority) func(*db.Tx, messaging.AdminAct) error {
	return func(tx *db.Tx, act messaging.AdminAct) error {
		by := auth.By{UserID: string(act.By), Address: act.Address}
		return identity.AuditAct(tx, by, auth.Act("messaging."+act.Operation), string(act.On), act.Detail)
	}
}

// existsIn returns what tells the store of messaging whether identity has a user.
func existsIn(identity *auth.Authority) func(*db.Tx, messaging.UserID) (bool, error) {
	return func(tx *db.Tx, id messaging.UserID) (bool, error) { return identity.UserExists(tx, string(id)) }
}

// background runs fn until the function it returns is called, which waits for it.
func background(fn func(context.Context) error) (stop func(context.Context) error) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- fn(ctx) }()
	return func(within context.Context) error {
		cancel()
		select {
		case err := <-ended:
			return err
		case <-within.Done():
			return within.Err()
		}
	}
}

// userDirectory shows messaging the users of identity.
type userDirectory struct{ identity *auth.Authority }

// LookupUsers implements messaging.Users.
func (d userDirectory) LookupUsers(ctx context.Context, ids []messaging.UserID) (map[string]messaging.User, error) {
	plain := make([]string, len(ids))
	for i, id := range ids {
		plain[i] = string(id)
	}
	found, err := d.identity.LookupUsers(ctx, plain)
	if err != nil {
		return nil, err
	}
	users := make(map[string]messaging.User, len(found))
	for _, u := range found {
		id := messaging.UserID(u.ID)
		users[id.Fold()] = messaging.User{ID: id, Name: u.Name, Disabled: u.Disabled}
	}
	return users, nil
}

// storeClock is the clock that positions come from: nil leaves it to the store, where several servers share one.
func (s *Server) storeClock() func() time.Time {
	if s.store.Dialect() == db.Postgres {
		return nil
	}
	return s.env.Now
}
