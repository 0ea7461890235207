// Package jobs computes one long thing after the other, for callers that come back for it.
//
//   - [Open] makes a [Queue] with a directory of its own. [Queue.Begin] reserves a place and a directory for what the caller sends; [Draft.Submit]
//     queues the work, [Draft.Drop] gives the place back.
//   - One [Job] runs at a time, the oldest first. [Job.Now] says how far it is, [Job.Changed] when that changes.
//   - A job that has ended is kept for a while with its files, then it is gone, as if it had been removed. It goes earlier, the oldest first,
//     when its place is needed.
//
// Jobs do not outlive the process: what one leaves that is killed goes when the next one opens a queue in the same directory. There are never
// more than [Options.Most], those that have ended included, and as many drafts, so neither disk nor memory grows beyond what each may take.
package jobs
