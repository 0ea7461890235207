package cli

// ballast makes the garbage collector wait until as much memory again as it holds has become garbage. Requests leave
// little behind but in great number: with a small heap alone the collector would run after every few hundred of them.
// Nobody writes to it, so the system never gives it a page: it costs address space, and the garbage it lets pile up.
type ballast []byte

func newBallast(size Size) ballast { return make(ballast, size) }
