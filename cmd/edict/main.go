// Command edict serves channels, direct messages and tax-benefit simulations. Package cli does the work.
package main

import (
	"os"

	"edict/cli"
)

// version is stamped by the linker; see the Makefile.
var version, commit, date string

func main() {
	os.Exit(cli.Main(cli.Build{Version: version, Commit: commit, Date: date}))
}
