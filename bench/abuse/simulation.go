package main

// simulationAttacks are against simulations.
var simulationAttacks = []attack{}
