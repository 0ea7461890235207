package messaging

import "sync"

// claiming is the devices whose wake-ups are being claimed: from before the claim asks whether they are connected until it is committed.
//
// A claim notes that its device is woken, and a stream that the device has connected since. A stream that is there before the claim asks
// keeps it from being made; one that comes after that finds the device here, or the claim in the store. Without this it might find
// neither, and the device would count as woken, and be left alone, although it has connected.
type claiming struct {
	mu      sync.Mutex
	devices map[claimed]int // claims under way
}

// claimed is a device of a user, or any of them for "".
type claimed struct{ user, device string }

func newClaiming() *claiming { return &claiming{devices: map[claimed]int{}} }

// add notes a claim that begins; its end is a call of drop.
func (c *claiming) add(user UserID, device string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.devices[claimed{user.Fold(), device}]++
	c.devices[claimed{user.Fold(), ""}]++
}

func (c *claiming) drop(user UserID, device string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range []claimed{{user.Fold(), device}, {user.Fold(), ""}} {
		if c.devices[k]--; c.devices[k] == 0 {
			delete(c.devices, k)
		}
	}
}

// has reports whether a wake-up of a device, or of any device of the user for "", is being claimed.
func (c *claiming) has(user UserID, device string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.devices[claimed{user.Fold(), device}] > 0
}
