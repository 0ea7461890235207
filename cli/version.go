package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// Build says which edict this is. The linker stamps it; what it did not stamp comes from the module and
// version-control information that the Go tool records.
type Build struct {
	Version string
	Commit  string
	Date    string // of the commit, RFC 3339
}

type versionCmd struct{}

// Run prints the version on one line.
func (versionCmd) Run(env *Env) error {
	b := env.Build.complete(debug.ReadBuildInfo())
	_, err := fmt.Fprintf(env.Stdout, "edict %s commit %s date %s %s %s/%s\n",
		b.Version, b.Commit, b.Date, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// complete fills the fields that the linker left empty.
func (b Build) complete(info *debug.BuildInfo, ok bool) Build {
	var recorded Build
	if ok {
		if info.Main.Version != "(devel)" {
			recorded.Version = info.Main.Version
		}
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				recorded.Commit = s.Value
			case "vcs.time":
				recorded.Date = s.Value
			}
		}
	}
	return Build{
		Version: cmp.Or(b.Version, recorded.Version, "devel"),
		Commit:  cmp.Or(b.Commit, recorded.Commit, "unknown"),
		Date:    cmp.Or(b.Date, recorded.Date, "unknown"),
	}
}
