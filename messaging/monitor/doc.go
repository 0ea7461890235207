// Package monitor is what operators see of a node: its figures now, per second over the last minute, and over the last hour.
//
// A [Monitor] reads the metrics of the process, which every part keeps for itself, so there is one place where something is counted.
// [Monitor.Run] owns the history: it takes a [reading] every ten seconds and keeps an hour of them. The route is for admins and audited.
package monitor
