package db

import (
	"flag"
	"os"
	"testing"
)

// TestMain lets more parallel tests run than there are CPUs: they wait for leases, probes and standbys.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
