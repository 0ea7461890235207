// Package period is the calendar of legislation: instants (days) and periods (a unit, a first day, a number of units),
// with the syntax, the arithmetic and the printing of OpenFisca-Core 44.
//
// [Instant] and [Period] are small comparable values. [Table] gives every period that a simulation meets a small
// number, [ID], and remembers the periods derived from it (this year, last month, offsets, sub-periods), because
// formulas ask for the same few again and again.
//
// Arithmetic follows Python's calendar: years 1 to 9999, months clamp the day (31 January plus a month is the last
// day of February), ISO weeks. What leaves that range is an error, never a wrong date. A period may carry values that
// make no sense (a size of zero, the first year of eternity): as in the original they fail when they are used as a date.
package period
