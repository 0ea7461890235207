//go:build !race

package realtime_test

// raceDetector says that the race detector is on, which follows 8128 goroutines at most.
const raceDetector = false
