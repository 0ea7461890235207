package cli

import (
	"context"

	"edict/platform/auth"
	"edict/platform/db"
	"edict/platform/web"
)

// parts are the components of the server in the order in which they are opened; they are closed in reverse.
// A part that needs another finds it on the Server. One function per part, in a file named after the part.
var parts = []func(context.Context, *Server) (part, error){
	openStore,
	openIdentity,
	// Messaging comes here, then simulation; serve --demo fills them last.
}

// schemas are the tables of the components, applied in this order when the store is opened.
func schemas() []db.Migrations {
	return []db.Migrations{auth.Schema()}
}

// openStore opens the data directory and everything in it.
func openStore(ctx context.Context, s *Server) (part, error) {
	store, err := db.Open(ctx, s.cfg.Server.Data, db.Options{Logger: s.log, Now: s.env.Now}, schemas()...)
	if err != nil {
		return part{}, err
	}
	s.store = store
	s.warnOfReaders()
	return part{
		checks: []web.Check{{Name: "store", Run: func(context.Context) error { return store.Healthy() }}},
		close:  func(context.Context) error { return store.Close() },
	}, nil
}
