// Package lawgraph reads the formulas of a package without running them: which variables and parameters each asks for, and
// where in its text.
//
//   - [Sources] finds the text and the tree of formulas.
//   - [Graph] gives the [Facts] about a formula, and turned around which variables ask for a variable or read a parameter.
//     [Graph.Saw] completes it by what traced calculations have asked for.
//
// What is found is what a formula may ask for on any day: every branch is read, loops over lists that are known are gone
// through, functions of the package are followed with the arguments they are given. What the text does not tell is said
// ([Dynamic]), never guessed.
package lawgraph
