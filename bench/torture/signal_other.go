//go:build !unix

package main

import "os"

// canStop reports that processes can be stopped and continued here.
const canStop = false

var stopSignal, continueSignal = os.Interrupt, os.Interrupt // never sent
