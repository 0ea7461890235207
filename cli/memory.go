package cli

import (
	"fmt"
	"math"
	"runtime/debug"

	"edict/messaging"
	"edict/platform/heap"
	"edict/simulation/simapi"
)

// ballast makes the garbage collector wait until as much memory again as it holds has become garbage. Requests leave
// little behind but in great number: with a small heap alone the collector would run after every few hundred of them.
// Nobody writes to it, so the system never gives it a page: it costs address space, and the garbage it lets pile up.
type ballast []byte

func newBallast(size Size) ballast { return make(ballast, size) }

// program is the memory of the server that Go does not manage: code, stacks, the caches of SQLite.
const program = 64 << 20

// limitMemory has the collector work as hard as it takes to stay within a bound, unless GOMEMLIMIT sets another. The
// ballast counts as memory there, although the system gives it none.
func limitMemory(bound, headroom Size) {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 { // asks only
		debug.SetMemoryLimit(int64(bound+headroom) - program)
	}
}

// simulations is the part of the memory that requests for simulations share. An eighth is for bodies
// and pages of messaging, a sixteenth for what streams replay, the rest for the legislation, for streams and for the collector.
func (c LimitsConfig) simulations() int64 { return int64(c.Memory) / 2 }

// messages is the part of the memory that bodies and pages of messaging share.
func (c LimitsConfig) messages() int64 { return int64(c.Memory) / 8 }

// replays is the part of the memory that streams share for what is read from the log.
func (c LimitsConfig) replays() int64 { return int64(c.Memory) / 16 }

// checkMemory reports a configuration in which a request that keeps to its limits finds no memory.
func (c *Config) checkMemory() error {
	if c.Server.Only != onlySimulation {
		most := heap.NewBudget(c.Limits.messages()).Most()
		if needs := 2*max(int64(c.Limits.Body), messaging.DefaultLimits().PageBytes) + heap.SmallShare; needs > most {
			return fmt.Errorf("--limits-memory: of %v one request to messaging may use %v, but a page of what a body of --limits-body %v can bring takes up to %v: raise the first, or lower the other", c.Limits.Memory, mebibytes(most), c.Limits.Body, mebibytes(needs))
		}
	}
	if c.Server.Only == onlyMessaging {
		return nil
	}
	shared := c.Limits.simulations()
	slots := simapi.SlotMemory(c.Simulation.Concurrent)
	if slots > shared/2 {
		return fmt.Errorf("--limits-memory: --simulation-concurrent %d simulations take %v at least, more than a quarter of %v: raise the first, or lower the other", c.Simulation.Concurrent, mebibytes(slots), c.Limits.Memory)
	}
	most := heap.NewBudget(shared - slots).Most()
	if needs := simapi.MemoryForBody(int64(c.Simulation.Body), c.Simulation.Values); needs > most {
		return fmt.Errorf("--limits-memory: of %v one request may use %v, but one with a body of --simulation-body %v and --simulation-values %d takes up to %v: raise the first, or lower the others",
			c.Limits.Memory, mebibytes(most), c.Simulation.Body, c.Simulation.Values, mebibytes(needs))
	}
	if int64(c.Simulation.Answer) > most {
		return fmt.Errorf("--limits-memory: of %v one request may use %v, which --simulation-answer %v exceeds: raise the first, or lower the other", c.Limits.Memory, mebibytes(most), c.Simulation.Answer)
	}
	return nil
}

// mebibytes is a size to be read, rounded up.
func mebibytes(n int64) Size { return Size((n + 1<<20 - 1) >> 20 << 20) }
