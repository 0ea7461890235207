//go:build !unix

package web

// roomForConnections is how many connections to have where files are not counted.
func roomForConnections() int { return connectionsFor(1 << 16) }
