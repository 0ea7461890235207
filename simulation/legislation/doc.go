// Package legislation is the domain of the simulation service: what a country's rules are made of, whatever language
// they were written in.
//
//   - [Entity] and [Role]: persons and the groups they form.
//   - [Variable]: a quantity of an entity, with dated formulas. [Formula] is the seam: the engine asks a formula for a
//     column; country packages implement it with Python closures, tests with Go functions. [Population], [Holder],
//     [Simulation] and [Law] are what a formula sees of the engine.
//   - [Enum]: the named values of a variable.
//   - [ParameterNode], [Parameter], [ParameterScale]: the dated figures of the law, read from YAML by [LoadParameters].
//     [Tree] answers with their values at an instant ([View], [NodeAt], [VectorNode]), [Scale] computes.
//   - [System]: all of it together. A [Builder] makes one, from nothing or as a reform of another; a [Catalogue] keeps
//     the compositions of reforms that were asked for.
//
// Invariants: a System never changes and may be shared by any number of goroutines. A reform shares the variables and
// parameters it leaves alone. A variable keeps its [VariableID] and a path its [PathID] in every system that descends
// from the same [Names], so compiled formulas work in all of them. Parameter items may be changed only before they are
// given to a system; Builder.ModifyParameters hands out a copy.
package legislation
