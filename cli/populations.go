package cli

import (
	"context"
	"path/filepath"

	"edict/simulation/jobs"
)

// openPopulations keeps the populations that callers send.
func openPopulations(_ context.Context, s *Server) (part, error) {
	use := s.cfg.Simulation
	if use.Populations == "off" {
		return part{}, nil
	}
	queue, err := jobs.Open(jobs.Options{Dir: filepath.Join(s.cfg.Server.Data, "populations"), Most: use.PopulationMax, Keep: use.PopulationRetention, Now: s.env.Now})
	if err != nil {
		return part{}, err
	}
	s.populations = queue
	return part{close: queue.Close}, nil
}
