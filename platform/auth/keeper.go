package auth

import (
	"context"
	"io"
	"time"
)

// Keeper is a component that keeps things of users; identity has it show and remove them. Users are named by id; what is not
// there is not an error unless it says so.
type Keeper interface {
	// RemoveUser removes what is a user's, and with content also empties what the user published and sent. It may be called
	// again for the same user; an error has it called later.
	RemoveUser(ctx context.Context, userID string, content bool) error
	// Devices returns the devices of users, by the ids given.
	Devices(ctx context.Context, userIDs []string) (map[string][]Device, error)
	// RemoveDevice removes a device of a user; one that is not there is a fault of kind NotFound.
	RemoveDevice(ctx context.Context, userID, deviceID string) error
	// Export writes what is kept about a user as JSON, file by file: add begins the next one. own reports whether the user asked; without
	// it, Export leaves out everything that only the user may see.
	Export(ctx context.Context, userID string, own bool, add func(name string) (io.Writer, error)) error
}

// Device is something that a user receives messages on.
type Device struct {
	ID       string
	Label    string
	Platform string
	Push     string // service that wakes it; "" for none
	Created  time.Time
}

// Keep sets the component that keeps things of users. Without one a removal is not finished: what is the user's may be a
// component's that does not run here.
func (a *Authority) Keep(k Keeper) {
	a.hooks.Lock()
	defer a.hooks.Unlock()
	a.hooks.keeper = k
}

func (a *Authority) keeper() Keeper {
	a.hooks.Lock()
	defer a.hooks.Unlock()
	return a.hooks.keeper
}
