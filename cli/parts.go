package cli

import (
	"context"
	"errors"
	"slices"

	"edict/messaging/sqlstore"
	"edict/platform/auth"
	"edict/platform/db"
	"edict/platform/web"
	"edict/watch"
)

// The services that --only chooses from.
const (
	onlyMessaging  = "messaging"
	onlySimulation = "simulation"
)

// parts are the components of the server in the order in which they are opened; they are closed in reverse.
// A part that needs another finds it on the Server. One function per part, in a file named after the part.
// A part is left out when --only names no service of it.
var parts = []struct {
	open func(context.Context, *Server) (part, error)
	of   []string // services that need the part
}{
	{openScratch, []string{onlyMessaging, onlySimulation}},
	{openStore, []string{onlyMessaging}},
	{openIdentity, []string{onlyMessaging}},
	{openMessaging, []string{onlyMessaging}},
	{openPopulations, []string{onlySimulation}},
	{openSimulation, []string{onlySimulation}},
	{openConsole, []string{onlyMessaging, onlySimulation}},
	{openWatches, nil}, // which need both
}

// serves reports whether a part that these services need is part of the server.
func (s *Server) serves(of []string) bool {
	return s.cfg.Server.Only == "" || slices.Contains(of, s.cfg.Server.Only)
}

// schemas are the tables of the components, applied in this order when the store is opened.
func schemas() []db.Migrations {
	return []db.Migrations{auth.Schema(), sqlstore.Migrations(), watch.Schema()}
}

// openStore opens the data directory and everything in it.
func openStore(ctx context.Context, s *Server) (part, error) {
	observe, err := observeStore(s.metrics)
	if err != nil {
		return part{}, err
	}
	server := s.cfg.Server
	store, err := server.open(ctx, db.Options{Logger: s.log, Now: s.env.Now, Observe: observe, Standby: server.StoreStandby, Wait: server.StoreWait, Bus: server.Bus, Node: server.Node, Reserve: int64(s.cfg.Storage.DiskReserve)})
	if err != nil {
		return part{}, err
	}
	s.store = store
	if err := errors.Join(watchStore(s.metrics, store), watchNodes(s.metrics, store, server.Node)); err != nil {
		return part{}, errors.Join(err, store.Close())
	}
	if store.Dialect() == db.SQLite {
		s.log.Info("store", "data", store.Dir())
	} else {
		s.log.Info("store", "postgres", server.address())
	}
	s.warnOfReaders()
	return part{
		checks: []web.Check{{Name: "store", Run: func(context.Context) error { return store.Ready() }, About: store.About}},
		close:  func(context.Context) error { return store.Close() },
	}, nil
}
