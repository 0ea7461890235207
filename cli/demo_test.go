package cli_test

import (
	"testing"

	"edict/cli"
)

// TestDefaultData: a demonstration must not take the directory of a real server for its own.
func TestDefaultData(t *testing.T) {
	if got := cli.DefaultConfig().Server.Data; got != cli.DefaultData {
		t.Errorf("--data defaults to %q; serve --demo thinks %q", got, cli.DefaultData)
	}
}
