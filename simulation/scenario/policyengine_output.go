package scenario

import (
	"errors"
	"math"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// ValueOrInfinity is Value, with the texts that PolicyEngine's API has for infinite numbers.
func (r Request) ValueOrInfinity(sim *engine.Simulation) (legislation.Data, error) {
	return orInfinity(r.Value(sim))
}

func orInfinity(value legislation.Data, err error) (legislation.Data, error) {
	wrong, ok := errors.AsType[*NonFiniteError](err)
	switch {
	case !ok || math.IsNaN(wrong.Value):
		return value, err
	case wrong.Value > 0:
		return legislation.DataOf(vector.PyStr("Infinity")), nil
	}
	return legislation.DataOf(vector.PyStr("-Infinity")), nil
}

// Points computes what is asked for at every point of the axes, as PolicyEngine's API tells it: a list.
func (r Request) Points(sim *engine.Simulation, points int) (legislation.Data, error) {
	column, err := r.column(sim)
	if err != nil {
		return legislation.Data{}, err
	}
	each := sim.PopulationOf(r.Entity.Key).Count() / points
	list := make([]legislation.Data, points)
	for i := range list {
		at := i*each + r.index
		if column.Constant() {
			at = 0
		}
		if list[i], err = orInfinity(r.scalar(column, at)); err != nil {
			return legislation.Data{}, err
		}
	}
	return legislation.Data{Kind: legislation.List, List: list}, nil
}
