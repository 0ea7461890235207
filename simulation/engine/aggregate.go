package engine

import (
	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// prepare checks the arguments of an aggregation over persons and finds out who counts.
func (p *Population) prepare(what string, c vector.Column, role *legislation.Role) (vector.Column, []bool, error) {
	if err := p.mustBeGroup(what); err != nil {
		return c, nil, err
	}
	who, err := p.who(role)
	if err != nil {
		return c, nil, err
	}
	if c, err = p.sim.persons.check(c); err == nil && p.sim.recorder != nil {
		c, err = p.sim.recorder.overPersons(p, c)
	}
	return c, who, err
}

// numbers gives the values that an aggregation computes with: of an enumeration the numbers of its members.
func numbers(what string, c vector.Column) (vector.Column, error) {
	if c.Type() == vector.Enum {
		return c.Codes(), nil
	}
	if !c.Type().Number() {
		return c, typeError("'%s' needs numbers, not %s", what, c.DType())
	}
	return c, nil
}

// Sum adds up the values of each group's members in 64-bit floats, in the order of persons.
func (p *Population) Sum(c vector.Column, role *legislation.Role) (vector.Column, error) {
	c, who, err := p.prepare("sum", c, role)
	if err != nil {
		return c, err
	}
	if c, err = numbers("sum", c); err != nil {
		return c, err
	}
	if c.Constant() && (who == nil || c.Float(0) == 0) {
		return p.sumConstant(c.Float(0)), nil
	}
	return vector.GroupSum(c, p.groupOf, p.count, who).Compact(), nil
}

// sumConstant adds the same value as often as each group has members, once per size of group. Adding one by one is not
// the same as multiplying.
func (p *Population) sumConstant(v float64) vector.Column {
	if v == 0 {
		return vector.Const(p.count, 0.0)
	}
	_, largest := p.positions()
	bySize := make([]float64, largest+1)
	for n := range largest {
		bySize[n+1] = bySize[n] + v
	}
	sums := make([]float64, p.count)
	for g, size := range p.sizes {
		sums[g] = bySize[size]
	}
	return vector.Of(sums).Compact()
}

// sameForAll tells whether a column without variation gives every group the same: nobody is left out, no group is empty.
func (p *Population) sameForAll(c vector.Column, who []bool) bool {
	p.positions()
	return c.Constant() && who == nil && !p.hasEmpty
}

// Any tells for each group whether the sum of its members' values is above zero.
func (p *Population) Any(c vector.Column, role *legislation.Role) (vector.Column, error) {
	if c.Type() != vector.Bool {
		sum, err := p.Sum(c, role)
		if err != nil {
			return sum, err
		}
		return p.sim.rules.Binary(vector.Greater, sum, vector.PyInt(0))
	}
	c, who, err := p.prepare("any", c, role)
	if err != nil {
		return c, err
	}
	if p.sameForAll(c, who) || c.Constant() && !c.Bool(0) {
		return vector.Const(p.count, c.Bool(0)), nil
	}
	return vector.GroupAny(c, p.groupOf, p.count, who).Compact(), nil
}

// All tells for each group whether all its members' values are true.
func (p *Population) All(c vector.Column, role *legislation.Role) (vector.Column, error) {
	c, who, err := p.prepare("all", c, role)
	if err != nil {
		return c, err
	}
	if p.sameForAll(c, who) || c.Constant() && c.Bool(0) {
		return vector.Const(p.count, c.Bool(0)), nil
	}
	return vector.GroupAll(c, p.groupOf, p.count, who).Compact(), nil
}

// Max gives the largest value of each group in 64-bit floats, -inf without members.
func (p *Population) Max(c vector.Column, role *legislation.Role) (vector.Column, error) {
	c, who, err := p.prepare("max", c, role)
	if err != nil {
		return c, err
	}
	if c, err = numbers("max", c); err != nil {
		return c, err
	}
	if p.sameForAll(c, who) {
		return vector.Const(p.count, c.Float(0)), nil
	}
	return vector.GroupMax(c, p.groupOf, p.count, who).Compact(), nil
}

// Min gives the smallest value of each group in 64-bit floats, +inf without members.
func (p *Population) Min(c vector.Column, role *legislation.Role) (vector.Column, error) {
	c, who, err := p.prepare("min", c, role)
	if err != nil {
		return c, err
	}
	if c, err = numbers("min", c); err != nil {
		return c, err
	}
	if p.sameForAll(c, who) {
		return vector.Const(p.count, c.Float(0)), nil
	}
	return vector.GroupMin(c, p.groupOf, p.count, who).Compact(), nil
}

// Reduce folds the members' values of each group in the order of their positions.
func (p *Population) Reduce(c vector.Column, step legislation.Reducer, neutral vector.Column, role *legislation.Role) (vector.Column, error) {
	c, who, err := p.prepare("reduce", c, role)
	if err != nil {
		return c, err
	}
	cond := vector.PyBool(true)
	if who != nil {
		if cond, err = p.HasRole(role); err != nil {
			return c, err
		}
	}
	filtered, err := p.sim.rules.Where(cond, c, neutral)
	if err != nil {
		return c, err
	}
	result, err := neutral.Spread(p.count)
	if err != nil {
		return c, err
	}
	_, largest := p.positions()
	if p.sim.recorder != nil {
		return p.sim.recorder.reduce(p, result, step, filtered, neutral)
	}
	for n := range largest {
		values, err := p.ValueNthPerson(n, filtered, neutral)
		if err != nil {
			return c, err
		}
		if result, err = step(result, values); err != nil {
			return c, err
		}
	}
	return result, p.mayStop(result, step, filtered, neutral)
}

// mayStop makes sure that a fold ends with the same result if other groups, which the simulation does not hold, have more
// members and make it take more steps: one more must change nothing.
func (p *Population) mayStop(result vector.Column, step legislation.Reducer, filtered, neutral vector.Column) error {
	if p.sim.rows == nil {
		return nil
	}
	values, err := p.ValueNthPerson(p.largest, filtered, neutral)
	if err != nil {
		return err
	}
	again, err := step(result, values)
	if err != nil {
		return err
	}
	if !again.Same(result) {
		return p.sim.rows.Whole("reduce() with a neutral element that is none")
	}
	return nil
}

// NbPersons counts the members of each group: 64-bit integers, or floats if only those with a role count.
func (p *Population) NbPersons(role *legislation.Role) (vector.Column, error) {
	if err := p.mustBeGroup("nb_persons"); err != nil {
		return vector.Column{}, err
	}
	if role == nil {
		return p.counts(), nil
	}
	condition, err := p.roleOfMine(role)
	if err != nil {
		return vector.Column{}, err
	}
	return p.Sum(condition, nil)
}

// counts is the number of members of each group.
func (p *Population) counts() vector.Column {
	if r := p.sim.recorder; r != nil {
		return r.source(source{kind: sizeSource, entity: p.entity.Key}, p)
	}
	if p.nbPersons == nil {
		c := vector.GroupCount(p.groupOf, p.count, nil).Compact()
		p.nbPersons = &c
	}
	return *p.nbPersons
}

// roleOfMine tells which persons have a role in this entity; nobody has a role of another.
func (p *Population) roleOfMine(role *legislation.Role) (vector.Column, error) {
	if role.Entity.Key != p.entity.Key {
		return vector.Const(p.sim.persons.count, false), nil
	}
	return p.HasRole(role)
}

// ValueFromPerson gives each group the value of its one member with a role that is unique in a group.
func (p *Population) ValueFromPerson(c vector.Column, role *legislation.Role, otherwise vector.Column) (vector.Column, error) {
	if role == nil || role.Max != 1 {
		return c, &legislation.Error{Class: "Exception", Msg: "value_from_person needs a role that only one person of a group can have"}
	}
	c, _, err := p.prepare("value_from_person", c, role)
	if err != nil {
		return c, err
	}
	if r := p.sim.recorder; r != nil {
		return p.sim.rules.Place(c, otherwise, r.source(source{kind: holderSource, entity: p.entity.Key, role: role}, p))
	}
	chosen, err := p.holderOf(role)
	if err != nil {
		return c, err
	}
	return p.place(c, otherwise, chosen)
}

// ValueNthPerson gives each group the value of its member at position n.
func (p *Population) ValueNthPerson(n int, c vector.Column, otherwise vector.Column) (vector.Column, error) {
	c, _, err := p.prepare("value_nth_person", c, nil)
	if err != nil {
		return c, err
	}
	if r := p.sim.recorder; r != nil {
		return p.sim.rules.Place(c, otherwise, r.source(source{kind: memberSource, entity: p.entity.Key, n: n}, p))
	}
	return p.place(c, otherwise, p.nthMember(n))
}

// ValueFromFirstPerson gives each group the value of its member at position 0.
func (p *Population) ValueFromFirstPerson(c vector.Column) (vector.Column, error) {
	return p.ValueNthPerson(0, c, vector.PyInt(0))
}

// Project gives every person the value of its group, 0 to persons without the role.
func (p *Population) Project(c vector.Column, role *legislation.Role) (vector.Column, error) {
	if err := p.mustBeGroup("project"); err != nil {
		return c, err
	}
	c, err := p.check(c)
	if err != nil {
		return c, err
	}
	p.sim.recorder.bind(p)
	projected := c.Gather(p.groupOf)
	if role == nil {
		return projected, nil
	}
	condition, err := p.HasRole(role)
	if err != nil {
		return c, err
	}
	return p.sim.rules.Where(condition, projected, vector.PyInt(0))
}

// ValueFromPartner gives each person with one of the two sub-roles the value of the person with the other.
func (p *Population) ValueFromPartner(c vector.Column, group legislation.Population, role *legislation.Role) (vector.Column, error) {
	c, err := p.check(c)
	if err != nil {
		return c, err
	}
	if role == nil || len(role.Subroles) != 2 {
		return c, &legislation.Error{Class: "Exception", Msg: "value_from_partner needs a role with exactly two sub-roles"}
	}
	var conditions, values [2]vector.Column
	for i, sub := range role.Subroles {
		if values[1-i], err = group.ValueFromPerson(c, sub, vector.PyInt(0)); err != nil {
			return c, err
		}
		if conditions[i], err = p.HasRole(sub); err != nil {
			return c, err
		}
	}
	return p.sim.rules.Select(conditions[:], values[:], vector.PyInt(0))
}
