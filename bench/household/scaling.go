//go:build unix

package main

import (
	"io"

	"edict/simulation/legislation"
)

func scale(w io.Writer, system *legislation.System, a ask) error { return nil }
