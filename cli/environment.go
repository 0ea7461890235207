package cli

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// warnOfVariables names the variables of the environment that look like settings and are none: a typing error in a flag or in a
// key of the file is refused, but a variable may be somebody else's.
func warnOfVariables(model *kong.Application, env *Env) {
	known := variables(model)
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, envPrefix) || known[strings.TrimPrefix(name, envPrefix)] {
			continue
		}
		advice := `"edict serve -h" shows those of the server`
		if near := nearestSetting(strings.TrimPrefix(name, envPrefix), slices.Sorted(maps.Keys(known))); near != "" {
			advice = "did you mean " + envPrefix + near + "?"
		}
		fmt.Fprintf(env.Stderr, "edict: the environment variable %s sets nothing; %s\n", name, advice)
	}
}

// variables are the environment variables of all settings of all commands, without their prefix.
func variables(model *kong.Application) map[string]bool {
	known := map[string]bool{}
	note := func(_ *kong.Node, flag *kong.Flag) {
		for _, name := range flag.Envs {
			known[strings.TrimPrefix(name, envPrefix)] = true
		}
	}
	for _, flag := range model.Flags {
		note(nil, flag)
	}
	walk(model.Node, note)
	return known
}
