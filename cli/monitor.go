package cli

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"edict/messaging/monitor"
	"edict/platform/db"
	"edict/platform/web"
)

// openMonitor adds what operators see of the server, for those whom admit lets in, to the messaging service, and keeps its history until the
// function it returns is called.
func (s *Server) openMonitor(service *web.Service, admit func(web.Handler) web.Handler) (stop func(context.Context) error, err error) {
	m, err := monitor.New(monitor.Options{Operate: s.messaging.Operate, Metrics: s.metrics, Disk: diskOf(s.store), Now: s.env.Now, Log: s.log})
	if err != nil {
		return nil, err
	}
	route := m.Route()
	route.Handle = admit(route.Handle)
	service.Routes = append(service.Routes, route)
	return background(m.Run), nil
}

// diskOf returns what tells how a store is on its disk: the database with the log that is not in it yet.
func diskOf(store *db.DB) func() monitor.Disk {
	if store.Dialect() == db.Postgres {
		return func() (d monitor.Disk) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			// What cannot be asked now is 0, and Problem says why.
			_ = store.Read(ctx).QueryRow("SELECT pg_database_size(current_database())").Scan(&d.Bytes)
			d.Problem = store.Healthy()
			return d
		}
	}
	file := filepath.Join(store.Dir(), db.FileName)
	return func() (d monitor.Disk) {
		d.Problem = store.Healthy()
		for _, name := range []string{file, file + "-wal"} {
			if info, err := os.Stat(name); err == nil {
				d.Bytes += info.Size()
			}
		}
		return d
	}
}
