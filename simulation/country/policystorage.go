package country

import (
	"strings"

	"edict/simulation/legislation"
	"edict/simulation/period"
	py "edict/simulation/pyeval"
)

// holders is population._holders of PolicyEngine: those of the variables that something is stored of, by name.
func (o *populationObject) holders(th *py.Thread) *py.Dict {
	d := py.NewDict()
	for _, v := range o.run.sim.System().Variables() {
		if v.Entity != o.pop.Entity() {
			continue
		}
		h, err := o.run.sim.Holder(v.ID)
		raiseIf(th, err)
		if len(h.KnownPeriods()) > 0 {
			d.Set(py.String(v.Name), py.Obj(&holderObject{o.run, h}))
		}
	}
	return d
}

// storageObject is holder._memory_storage of PolicyEngine, and its _arrays: what is stored by "branch:period". A branch begins with what the
// others have, so all is that of the branch.
type storageObject struct{ of *holderObject }

// Type implements pyeval.Object.
func (o *storageObject) Type() *py.Class { return o.of.run.core.childrenClass }

// entry is the period of a key, nil if nothing is stored there.
func (o *storageObject) entry(th *py.Thread, key py.Value) *period.Entry {
	_, text, _ := strings.Cut(th.Str(key), ":")
	at := o.of.run.entry(th, py.String(text))
	if _, ok := o.of.holder.Array(at); !ok {
		return nil
	}
	return at
}

// Contains implements pyeval.Container.
func (o *storageObject) Contains(th *py.Thread, key py.Value) bool { return o.entry(th, key) != nil }

// Attr implements pyeval.Attrer.
func (o *storageObject) Attr(_ *py.Thread, name string) (py.Value, bool) {
	switch name {
	case "_arrays":
		return py.Obj(o), true
	case "pop":
		return py.Pure(name, o.pop), true
	}
	return py.Value{}, false
}

// pop forgets a value that was computed, and returns it.
func (o *storageObject) pop(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	key, otherwise := py.None, py.None
	th.Unpack("pop", args, kws, "key", &key, "default?", &otherwise)
	at := o.entry(th, key)
	if at == nil {
		return otherwise
	}
	c, _ := o.of.holder.Array(at)
	o.of.run.sim.(legislation.Forker).DropValue(o.of.holder.Variable().ID, at)
	return py.Col(c)
}
