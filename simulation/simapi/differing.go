package simapi

import (
	"fmt"
	"net/http"
	"slices"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/scenario"
)

// checkDiffering rejects requests whose values may need code of the package that does not run. In the years of the requests it calculates the
// variables that this code changes.
func checkDiffering(sim *engine.Simulation, requests []scenario.Request) error {
	p := sim.System().Prepares()
	if p == nil || len(p.Differing) == 0 {
		return nil
	}
	years := requestYears(sim.System(), requests)
	for _, d := range p.Differing {
		v, err := sim.System().Lookup(d.Variable)
		if err != nil {
			continue // removed by a reform
		}
		requested := slices.ContainsFunc(requests, func(r scenario.Request) bool { return r.Variable == v })
		for _, year := range years {
			if year < d.From || d.Requested && !requested {
				continue
			}
			if !d.Requested {
				zero, err := isZero(sim, v, year)
				if err != nil {
					return err
				}
				if zero {
					continue
				}
			}
			return &refusal{status: http.StatusUnprocessableEntity, message: fmt.Sprintf("%s of %d cannot be computed as in the original: its class Simulation treats the household as a dataset and hands it to %s, and neither is done here. Request other years, or leave out the variable and the inputs that it follows from.", d.Variable, year, p.Partial)}
		}
	}
	return nil
}

// requestYears lists the years of requests. Periods without one have been rejected before, or are eternal.
func requestYears(system *legislation.System, requests []scenario.Request) (years []int) {
	for _, r := range requests {
		at, err := system.ParsePeriod(r.Period)
		if err != nil || at.IsEternal() {
			continue
		}
		stop, err := at.Stop()
		if err != nil {
			continue
		}
		for year := int(at.Start.Year); year <= int(stop.Year); year++ {
			if !slices.Contains(years, year) {
				years = append(years, year)
			}
		}
	}
	return years
}

// isZero is true if a yearly variable is 0 for everybody.
func isZero(sim *engine.Simulation, v *legislation.Variable, year int) (bool, error) {
	column, err := sim.Calculate(v.ID, sim.Periods().Intern(period.OfYear(year)), legislation.Plain)
	if err != nil {
		return false, err
	}
	for i := range column.Len() {
		if column.Float(i) != 0 {
			return false, nil
		}
	}
	return true, nil
}
