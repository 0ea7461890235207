// Package delivery wakes devices that are not connected: it takes wake-ups from the queue of messaging and has push
// services carry them.
//
// A [Dispatcher] has one lane per [Adapter], which is one push service: Web Push ([WebPush]), UnifiedPush ([NewUnifiedPush]), FCM ([FCM]) and
// APNs ([APNs]). A lane claims what is due, sends it and settles each claim: sent, dead, or later.
//
// A push says that there is something to fetch and nothing else, so what a push service, or whoever reads its logs, learns is that a device
// has mail. What only the device can read (Web Push, UnifiedPush with keys) may show a part of an item, where its channel allows it.
//
// Invariants
//   - The queue is the truth. A dispatcher keeps nothing that must survive; what it held when it died is taken over when the lease ends.
//   - A push ends before the lease of its claim does, so no two dispatchers on one store send the same wake-up at the same time, nor does
//     the process that follows one that was killed.
//   - Addresses that users give are reached through a [Guard] alone: listed hosts, public addresses, no redirects.
//   - Targets, keys and tokens are in no log and no error.
package delivery
