package cli

import (
	"context"
	"io"

	"edict/messaging"
	"edict/messaging/msgapi"
	"edict/platform/auth"
	"edict/platform/db"
	"edict/watch"
)

// userKeeper shows identity what messaging and watches keep of users.
type userKeeper struct {
	service *messaging.Service
	api     *msgapi.API
	store   *db.DB
	watches func() *watch.Service // nil, or returns nil, where there are none to show
}

var _ auth.Keeper = userKeeper{}

// RemoveUser implements auth.Keeper.
func (k userKeeper) RemoveUser(ctx context.Context, userID string, content bool) error {
	if err := watch.RemoveUser(ctx, k.store, userID); err != nil {
		return err
	}
	if content {
		return k.service.EraseUser(ctx, messaging.UserID(userID))
	}
	return k.service.RemoveUser(ctx, messaging.UserID(userID))
}

// Devices implements auth.Keeper.
func (k userKeeper) Devices(ctx context.Context, userIDs []string) (map[string][]auth.Device, error) {
	users := make([]messaging.UserID, len(userIDs))
	for i, id := range userIDs {
		users[i] = messaging.UserID(id)
	}
	found, err := k.service.DevicesOf(ctx, users)
	if err != nil {
		return nil, err
	}
	all := make(map[string][]auth.Device, len(found))
	for user, devices := range found {
		for _, d := range devices {
			shown := auth.Device{ID: d.ID, Label: d.Label, Platform: d.Platform, Created: d.Created}
			if d.Push != nil {
				shown.Push = d.Push.Service
			}
			all[string(user)] = append(all[string(user)], shown)
		}
	}
	return all, nil
}

// RemoveDevice implements auth.Keeper.
func (k userKeeper) RemoveDevice(ctx context.Context, userID, deviceID string) error {
	return k.service.RemoveDevice(ctx, messaging.Caller{UserID: messaging.UserID(userID)}, deviceID)
}

// Export implements auth.Keeper.
func (k userKeeper) Export(ctx context.Context, userID string, own bool, add func(name string) (io.Writer, error)) error {
	shown := func(*messaging.Message) bool { return true }
	if !own {
		shown = func(m *messaging.Message) bool { return !ofWatch(m, messaging.UserID(userID)) }
	}
	if err := k.api.Export(ctx, messaging.UserID(userID), shown, add); err != nil {
		return err
	}
	if !own || k.watches == nil || k.watches() == nil {
		return nil
	}
	file, err := add("watches.json")
	if err != nil {
		return err
	}
	return k.watches().Export(ctx, userID, file)
}
