// Package statistics measures how incomes are distributed: quantiles, inequality and poverty of weighted observations.
//
//   - [Sample] is observations in order; its methods are the measures. docs/reference/populations.md has their formulas.
//   - [Sum] adds numbers exactly, so that a total is the same in whatever order and in however many parts it is added up.
//
// The definitions are those of Eurostat and of the R package laeken; recorded answers of laeken, ineq and microdf hold the
// package to them.
package statistics
