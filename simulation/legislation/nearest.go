package legislation

import (
	"iter"

	"edict/platform/nearest"
)

// Nearest gives the known name that is closest to a name nobody knows, or "" if none is close, by the rule of the whole product.
func Nearest(name string, known iter.Seq[string]) string { return nearest.Name(name, known) }
