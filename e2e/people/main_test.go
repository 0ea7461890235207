package people_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain runs more tests at once than there are cores: most wait for other servers and for pages.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "4"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
