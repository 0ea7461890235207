//go:build !unix

package http1

import "net"

func arrived(net.Conn) bool { return false }
