//go:build !linux

package cores

func lowerPriority() {}
