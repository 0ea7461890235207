package cli

import (
	"context"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	"edict/platform/web"
	"edict/simulation/country"
	"edict/simulation/legislation"
	"edict/simulation/policyengine"
	"edict/simulation/simapi"
)

// openSimulation serves simulations. The legislation is loaded in the background: until it is there, requests are told
// to come back and the server is not ready. With a legislation that cannot be loaded the server does not start.
func openSimulation(_ context.Context, s *Server) (part, error) {
	o := s.cfg.Simulation.options()
	o.Memory = s.cfg.Limits.simulations()
	o.Now, o.Log, o.Version = s.env.Now, s.log, s.env.Build.complete(debug.ReadBuildInfo()).Version
	o.Country = policyCountry(s.cfg.Simulation.Country)
	warm, err := readWarmUp(s.cfg.Simulation.Warm)
	if err != nil {
		return part{}, err
	}
	o.Populations.Queue, o.Populations.Lone, o.Populations.Sample = s.populations, s.identity == nil, s.cfg.Simulation.sampleOf()
	o.Populations.Law = s.cfg.Simulation.beyondPackage()
	if s.env.Program != "" {
		o.Populations.Compute = s.computePopulation
	}
	api := simapi.New(o)
	s.simulation, s.legislated = api, make(chan struct{})
	if err := countSimulations(s.metrics, api); err != nil {
		return part{}, err
	}
	checks := []web.Check{{Name: "legislation", Run: api.Ready, About: api.About}}
	if warm != nil {
		checks = append(checks, web.Check{Name: "warm", Run: warm.ready})
	}
	services := api.Services()
	if s.identity != nil {
		for i := range services {
			s.auditReads(&services[i])
		}
	}
	return part{
		services: services, demo: s.demoSimulation, checks: checks,
		close: background(func(ctx context.Context) error { return s.loadLegislation(ctx, warm) }),
	}, nil
}

// policyCountry is the country of a package at a path that is named as PolicyEngine's are; "" of any other one.
func policyCountry(path string) string {
	if abs, err := filepath.Abs(path); err == nil && path != "" {
		path = abs
	}
	return policyengine.Country(filepath.Base(path))
}

func (s *Server) loadLegislation(ctx context.Context, warm *warmUp) error {
	pkg := s.serveLegislation(ctx, warm)
	if pkg == nil {
		return nil
	}
	var behind sync.WaitGroup
	behind.Go(func() { s.simulation.RecordBehind(ctx) })
	if s.cfg.Simulation.Country != "" {
		s.auditLegislation(ctx, pkg)
	}
	behind.Wait()
	return nil
}

// auditLegislation logs, once for each place, what formulas will fail at and what they do in another way than in
// OpenFisca. Requests do not wait for it.
func (s *Server) auditLegislation(ctx context.Context, pkg *country.Package) {
	problems, notes, err := pkg.Audit(ctx)
	if err != nil {
		if ctx.Err() == nil {
			s.log.Warn("the legislation could not be looked through", "error", err)
		}
		return
	}
	sources := pkg.Sources()
	for _, p := range placed(problems, sources) {
		s.log.Warn("legislation", "problem", p.Error())
	}
	for _, n := range placed(notes, sources) {
		s.log.Info("legislation", "note", n.Error())
	}
}

// serveLegislation loads the legislation, serves it and plays what is to be played; nil if that was not possible.
func (s *Server) serveLegislation(ctx context.Context, warm *warmUp) *country.Package {
	defer close(s.legislated)
	started := s.env.Now()
	s.lawDay = started.Format(time.DateOnly)
	law, err := s.loadLaw(ctx)
	pkg, system := law.pkg, law.system
	if err == nil {
		err = s.takeLegislation(ctx, pkg, system)
	}
	if err == nil && warm != nil {
		err = warm.run(ctx, s.simulation.Services(), s.log)
	}
	if ctx.Err() != nil {
		return nil // the server stops
	}
	if err != nil {
		s.lawless = err
		return nil
	}
	for _, w := range pkg.Warnings {
		s.log.Warn("legislation", "problem", w.Error())
	}
	s.log.Info("legislation", "package", system.Package.Name, "version", system.Package.Version, "variables", len(system.Variables()), "took", s.env.Now().Sub(started))
	return pkg
}

// lawConfig says which legislation is loaded, and with how much memory: what formulas hold is part of the server's.
func (s *Server) lawConfig() SimulationConfig {
	cfg := s.cfg.Simulation
	cfg.Memory = min(cfg.Memory, Size(s.cfg.Limits.simulations()))
	cfg.doubt = func(text string) { s.log.Warn("legislation", "problem", text) }
	return cfg
}

// takeLegislation gives the service its legislation, with the hash that tells it from others.
func (s *Server) takeLegislation(ctx context.Context, pkg *country.Package, system *legislation.System) error {
	hash, err := s.cfg.Simulation.lawHash(pkg)
	if err != nil {
		return err
	}
	origin, err := s.cfg.Simulation.servedProvenance(s.env, pkg, s.lawDay)
	if err != nil {
		return err
	}
	return s.simulation.LoadAs(ctx, pkg, system, hash, origin)
}

// installed is the data directory whose country packages have names here. A demonstration in a directory of its own has those of the
// usual one.
func (s *Server) installed() DataConfig {
	if s.scratch {
		return DataConfig{Data: defaultData}
	}
	return s.cfg.Server.DataConfig
}

// demoSimulation says how to simulate with the embedded legislation; with another one, where to begin.
func (s *Server) demoSimulation(_ context.Context, url string) ([]demoCall, error) {
	const json = `-H 'Content-Type: application/json'`
	calls := []demoCall{
		{"entities, variables and parameters of the law", "curl " + url + "/entities\ncurl " + url + "/variables\ncurl " + url + "/parameters"},
	}
	if s.cfg.Simulation.Country != "" {
		return calls, nil
	}
	return append(calls,
		demoCall{"compute income tax and disposable income of a person who earns 30,000 a year",
			"curl " + url + "/calculate " + json + ` -d '{"individus": {"ada": {"salaire_imposable": {"2024": 30000}}}, "foyers_fiscaux": {"f": {"declarants": ["ada"], "irpp": {"2024": null}}}, "menages": {"m": {"personne_de_reference": ["ada"], "revdisp": {"2024": null}}}}'`},
		demoCall{"the parts of disposable income",
			"curl " + url + "/api/1/simulate " + json + ` -d '{"scenarios": [{"period": "2024", "test_case": {"individus": [{"id": "ada", "salaire_imposable": 30000}], "familles": [{"parents": ["ada"]}], "foyers_fiscaux": [{"declarants": ["ada"]}], "menages": [{"personne_de_reference": "ada"}]}}]}'`},
	), nil
}
