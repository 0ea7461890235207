//go:build !linux

package heap

// Reserve does nothing on this system.
func Reserve(int64) {}
