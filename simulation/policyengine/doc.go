// Package policyengine has rules of PolicyEngine's country packages: their names, and the constructor of their class Simulation, which changes a
// household before formulas run.
//
// [Read] returns these changes as a legislation.Preparation. Package country stores it in the system, and scenario applies it to every household,
// below all routes and commands. A constructor with further steps makes the preparation partial, and only the country's route computes it.
package policyengine
