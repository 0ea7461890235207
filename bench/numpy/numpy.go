// Package numpy tells how a reference combines types, so that edict is set next to it in the same dialect.
package numpy

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// Version is a version of numpy, such as 2.3.5.
type Version string

// Ask gives the version that a Python has.
func Ask(ctx context.Context, python string) (Version, error) {
	out, err := exec.CommandContext(ctx, python, "-c", "import numpy; print(numpy.__version__)").Output()
	if err != nil {
		return "", fmt.Errorf("%s does not tell its version of numpy: %w", python, err)
	}
	return Version(strings.TrimSpace(string(out))), nil
}

// NEP50 tells whether the types of scalars count when types are combined, as they do from numpy 2 on.
func (v Version) NEP50() bool {
	return v != "" && !strings.HasPrefix(string(v), "0.") && !strings.HasPrefix(string(v), "1.")
}

// Dialect is what edict calls it, as --dialect takes it. Without a version it is what edict takes itself.
func (v Version) Dialect() string {
	if v.NEP50() {
		return "numpy2"
	}
	return "numpy1"
}
