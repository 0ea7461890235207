//go:build unix

package main

import "syscall"

// canStop reports that processes can be stopped and continued here.
const canStop = true

const (
	stopSignal     = syscall.SIGSTOP
	continueSignal = syscall.SIGCONT
)
