package messaging_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain runs more tests at once than there are cores: most wait for streams, timers and other servers.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
