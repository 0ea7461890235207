package cli

import (
	"context"
	"time"

	"edict/messaging/monitor"
	"edict/platform/web"
)

// openMonitor adds what operators see of the server, for those whom admit lets in, to the messaging service, and keeps its history until the
// function it returns is called.
func (s *Server) openMonitor(service *web.Service, admit func(web.Handler) web.Handler) (stop func(context.Context) error, err error) {
	m, err := monitor.New(monitor.Options{Operate: s.messaging.Operate, Metrics: s.metrics, Disk: s.disk, Now: s.env.Now, Log: s.log})
	if err != nil {
		return nil, err
	}
	route := m.Route()
	route.Handle = admit(route.Handle)
	service.Routes = append(service.Routes, route)
	return background(m.Run), nil
}

// disk returns how the store is on its disk, with the channels that keep the most.
func (s *Server) disk(ctx context.Context) monitor.Disk {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	// Figures that cannot be read now are 0, and Problem has the reason.
	space := s.store.Space(ctx)
	d := monitor.Disk{Bytes: space.Bytes, Reusable: space.Reusable, Free: space.Free, Reserve: space.Reserve, Problem: s.store.Healthy()}
	if d.Problem == nil {
		d.Problem = s.store.Room()
	}
	d.Largest, _ = s.messaging.LargestChannels(ctx)
	return d
}
