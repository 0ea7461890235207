// Package elementary computes numpy's elementary functions of 32-bit floats: exp, log and their kin, powers, sine and
// cosine, with the bits numpy gives for them on x86-64 processors with AVX-512, on every platform Go knows.
//
// numpy rounds none of them correctly. It evaluates a polynomial or a quotient of two in 32 bits with fused
// multiply-adds, after a reduction by a small table, and is off the exact value by up to four units in the last place.
// So a better function gives other bits: the way to the same bits is the same operations in the same order. Each
// function here says which; coefficients and tables are numpy's, for the four it has kernels of its own for (Exp, Log,
// Sin, Cos), and those of the library it is built with for the others.
//
// Invariants:
//
//   - Every operation is rounded to 32 bits on its own, unless it is [fma], which rounds once. Go may fuse x*y + z on
//     some processors, and t = x*y with a later t + z: a product that is added to something is converted first,
//     float32(x*y) + z.
//   - All functions are pure and take constant time. A NaN is a NaN: its sign and payload are not numpy's.
package elementary
