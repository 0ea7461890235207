// Package storetest is the conformance suite of messaging.Store: what every store must do, whatever
// it is made of. Run holds a store to its contract, alone and under the service, against a model of
// the service that is simple enough to be believed.
package storetest

import (
	"context"
	"testing"
	"time"

	"edict/messaging"
)

// Opener opens the store kept in dir, which is empty the first time, with a clock. Closing makes it
// possible to open it again.
type Opener func(t testing.TB, dir string, now func() time.Time) (store messaging.Store, closeStore func())

// Run tests a kind of store.
func Run(t *testing.T, open Opener) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, Opener)
	}{
		{"model", testModel},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, open) })
	}
}

var _ = context.Background
