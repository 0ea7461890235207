// Package watch tells people when a change of the law changes what they pay or get.
//
//   - A [Watch] is a household that a person left with the server, with the figures they care about. It is sealed with a key from a file
//     apart from the database (key.go), and shown to its owner alone.
//   - A [Run] computes every watch under two laws, says what it would tell how many, and tells them when it is told to (runner.go).
//   - [Service] is the operations, [Service.WebService] the routes.
//
// The package knows neither messaging nor simulation: [Laws] and [Sender] are what it needs of them.
//
// Invariants: one message for each watch and run, through crashes at any moment (a message is written down before it is sent, and sent
// under a key that makes a second time the first); no figure of a person is stored unsealed or shown to anybody else; one node at a time
// works at a run, by a lease that every write of it checks.
package watch
