// Package yamltest runs the YAML tests that country packages carry, with the verdicts of "openfisca test".
//
//   - [Discover] finds the test files below paths, [Load] reads the cases of one file.
//   - [Suite] runs cases on all cores and composes each combination of reforms and extensions once.
//   - [Result] says whether a case passed and, if not, everything that differs.
//
// A case passes if every expected output is near the computed one: equal as 32-bit floats (64-bit ones if
// [Options] say so) without a margin, else within
// the absolute margin and the relative one, whichever are given; enumerations by name, dates and texts exactly.
package yamltest
