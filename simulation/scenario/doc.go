// Package scenario turns a document that describes people (JSON or YAML) into a simulation, and results back into a
// document.
//
//   - ParseSituation and ParseEntities read the form of the OpenFisca web API and its users into a [Situation].
//   - [Situation] says who there is, what is known about them and what varies, whatever form it was written in.
//     Simulation makes an engine.Simulation of it.
//   - [Calculate] answers a situation: every null that stands for a value is computed.
//   - [Problems] is everything that is wrong with a document, by place; its tree mirrors the document.
//   - DecodeJSON and AppendJSON read and write legislation.Data, which keeps the order of keys.
//   - [Workspace] is what reading takes, for one request after the other.
//
// A Situation is immutable and may make any number of simulations. Files that begin with v1 are of the scenarios
// of /api/1, those that begin with openfisca of OpenFisca's form: the texts of its problems are those that clients of the
// OpenFisca web API know, and openfisca_texts.go has them all.
package scenario
