// Package vector holds typed columns and numpy's element-wise operations on them, with numpy's promotion and numpy's bits.
//
// A [Column] is a small value (24 bytes) that stands for a Python scalar, a numpy scalar or a one-dimensional numpy
// array. It is passed and returned by value. A column that does not vary is a constant: it keeps one value, inline for
// numbers, and every operation on constants gives a constant, at the cost of one element. [Table] is the two-dimensional
// array, used for look-up tables and stacked columns.
//
// [Rules] carries what numpy leaves open: value-based promotion (numpy 1.x, the zero value) or NEP 50 (numpy 2), and
// how to compute with object elements. Operations that promote are methods of *Rules; a nil *Rules works and means
// numpy 1.x. Operations that only move elements are functions or methods of Column.
//
// Invariants:
//
//   - Columns are immutable once they have been returned or handed on. Constructors that take a slice own it from then
//     on. The few stores ([Rules.SetMask], [Rules.SetAt]) copy and return the new column. Only [Rules.BinaryReuse]
//     writes into an operand, and [Pool.Put] takes storage back, when the caller vouches that nobody else holds it.
//   - Whether a column is a constant never changes a result: not its type, not its bits, not its errors.
//   - Columns and Rules hold no hidden state: any number of goroutines may use them at once. Only Rules with a [Pool]
//     belong to one goroutine.
//   - Integer arithmetic wraps, integer division by zero gives 0, float arithmetic never traps, as in numpy with
//     warnings off. Bad operands give an [*Error] with the name of the Python exception, never a panic.
package vector
