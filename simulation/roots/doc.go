// Package roots finds where a system of n equations in n unknowns is zero, by Powell's hybrid method: steps between
// Newton's and the steepest descent ("dogleg") within a region of trust, on a Jacobian that is taken by forward differences
// once and then kept up to date by Broyden's rank-one formula, until it serves no more. Of one equation [Between] finds where it is zero
// between two bounds.
//
// M. J. D. Powell, "A hybrid method for nonlinear equations" (1970); J. J. Moré, B. S. Garbow, K. E. Hillstrom, "User
// guide for MINPACK-1" (1980), whose scaling of unknowns, sizes of steps and tests of convergence are kept, so that a search
// takes the path that other programs built on them take: the same points in the same order, but for rounding.
//
// Solve is the search, Problem what is searched, Result what came out. A search owns nothing but its own memory and runs
// in the goroutine of its caller.
package roots
