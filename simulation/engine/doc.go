// Package engine runs one simulation: it has populations, remembers what is known about them, and computes what is not
// by asking the formulas of a [legislation.System].
//
//   - [New] makes a [Simulation] from a description of its populations ([Spec]).
//   - [Simulation.Calculate] gives a variable on a period: stored value, else the formula in force, else the default.
//   - [Population] and [Projector] are what formulas see: aggregations over members, projections onto persons, roles.
//   - [Tracer] records how a result came about. [Axes] multiply a situation.
//
// The numbers, and the order in which they are computed, are those of OpenFisca-Core 44: defaults are stored like
// results, a variable that asks for itself on too many other periods gets its default (a spiral), and what was computed
// on the way there is forgotten when the outermost calculation ends. internals/engine.md tells how and why.
//
// What a simulation is doing is its mode: it runs formulas, records what happens to its columns, or replays what was recorded
// (mode.go). Simulations of one system learn from each other: a formula that gets the answers it got before is not run
// again (memo.go). That changes no number and nothing that is stored; internals/memory.md tells what is kept, and how long.
//
// A Simulation belongs to one goroutine. Columns it hands out are immutable and may be kept. Formulas come from
// elsewhere and are bounded by [Limits] and by the context of the simulation.
package engine
