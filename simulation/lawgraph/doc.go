// Package lawgraph reads the formulas of a package without running them: which variables and parameters each asks for, and
// where in its text.
//
//   - [Sources] finds the text and the tree of formulas.
package lawgraph
