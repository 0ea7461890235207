// Package country turns a country package, Python source and YAML parameters as OpenFisca users
// write them, into a legislation.System.
package country
