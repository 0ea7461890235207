// Package messaging is the domain of the messaging service: channels, subscriptions, tags, items,
// direct messages, devices and delivery states, with the rules that govern them. It knows neither
// HTTP nor SQL.
//
// A [Service] has one method per operation. Each takes a [Caller], resolves names ([Ref] to
// [ChannelKey]), asks the one policy function of the operation (policy.go) and works on a [Store]:
// reads in a snapshot ([Store.View]), writes in an atomic, serial update ([Store.Update]) that
// returns once it is on disk.
//
// Invariants
//   - A rule is written once, here; the store stores, the wire translates.
//   - Items and direct messages take a [Position] in one store-wide log. Positions only grow, carry
//     their time, and are never used twice, so order in the log is order in time.
//   - An update finds out whether it may succeed before it writes: one that fails after writing makes the
//     store undo and repeat the updates it shares a commit with.
//   - Public ids are made from positions ([Codec]) and decode to them; no id is looked up by text.
//   - Committed changes are announced in log order, after they are on disk and before the callers
//     that made them are answered ([Event]).
//   - Every error is a [fault.Error] with an application code of codes.go.
package messaging
