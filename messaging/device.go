package messaging

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"edict/platform/names"
)

// Device is something a user receives messages on.
type Device struct {
	ID       string
	Label    string
	Platform string
	Push     *Push // nil when it cannot be woken
	Created  time.Time
}

// Push is where wake-ups for a device go. Target belongs to the service: the adapter of the service
// reads it.
type Push struct {
	Service string
	Target  json.RawMessage // a JSON object
}

// platforms and pushServices are the words a device may use.
var (
	platforms    = []string{"android", "desktop", "ios", "other", "web"}
	pushServices = []string{"apns", "fcm", "unifiedpush", "webpush"}
)

// DeviceReader reads devices.
type DeviceReader interface {
	// Devices returns a user's devices by id.
	Devices(user UserID) ([]Device, error)
	// Woken returns when a device of a user was woken, the zero time if it has connected since; the device "" means the last of the user's.
	Woken(user UserID, device string) (time.Time, error)
	// RemovedDevice returns when a device that is not registered was removed.
	RemovedDevice(user UserID, device string) (at time.Time, ok bool, err error)
}

// DeviceWriter writes devices.
type DeviceWriter interface {
	// PutDevice stores a device, replacing one of the same id.
	PutDevice(UserID, Device) error
	// DeleteDevice removes a device and remembers when, of the last MaxRemovedDevices of the user.
	DeleteDevice(user UserID, device string, at time.Time) error
}

// NewDevice is the input of RegisterDevice.
type NewDevice struct {
	ID       string // "" has one made
	Label    string
	Platform string // "" is other
	Push     *Push
}

func checkDeviceID(id string) error { return checkID("a device id", id, names.MaxID) }

func (s *Service) checkNewDevice(n *NewDevice) error {
	if n.ID == "" {
		n.ID = newDeviceID()
	}
	if err := checkDeviceID(n.ID); err != nil {
		return err
	}
	if err := checkLabel("label", n.Label, s.limits.Label); err != nil {
		return err
	}
	if n.Platform == "" {
		n.Platform = "other"
	}
	if !slices.Contains(platforms, n.Platform) {
		return invalid("platform %q is unknown: use android, ios, web, desktop or other", Clip(n.Platform))
	}
	return s.checkPush(n.Push)
}

func (s *Service) checkPush(p *Push) error {
	if p == nil {
		return nil
	}
	if !slices.Contains(pushServices, p.Service) {
		return invalid("push.service %q is unknown: use webpush, fcm, apns or unifiedpush", Clip(p.Service))
	}
	target, err := parseObject("push", p.Target, s.limits.Push)
	if err != nil {
		return err
	}
	p.Target = json.RawMessage(target)
	if len(target) == 0 || s.checkTarget == nil {
		return notEmpty("push", target)
	}
	return s.checkTarget(*p) // which knows what an empty one misses
}

func newDeviceID() string {
	var id [16]byte
	rand.Read(id[:]) // never fails
	return hex.EncodeToString(id[:])
}

// RegisterDevice stores a device of the caller, replacing one of the same id. What waited for the
// user without a device waits for this one from now on, and what waits is reason to wake it if it can
// be woken.
func (s *Service) RegisterDevice(ctx context.Context, caller Caller, n NewDevice) (d Device, err error) {
	if err := cmp.Or(s.checkNewDevice(&n), s.mayGrow()); err != nil {
		return d, err
	}
	err = s.record(ctx, func(w Writer) (err error) {
		d, err = s.register(w, caller.UserID, n)
		return err
	})
	return d, err
}

func (s *Service) register(w Writer, user UserID, n NewDevice) (Device, error) {
	have, err := w.Devices(user)
	if err != nil {
		return Device{}, err
	}
	now := w.Next().Time()
	d := Device{ID: n.ID, Label: n.Label, Platform: n.Platform, Push: n.Push, Created: now}
	if i := slices.IndexFunc(have, func(h Device) bool { return h.ID == n.ID }); i >= 0 {
		d.Created = have[i].Created
	} else if most := s.limits.DevicesPerUser; most > 0 && len(have) >= most {
		return Device{}, fail(CodeNotPermitted, "You have as many devices as one user may, %d: remove one first", len(have))
	}
	if err := w.PutDevice(user, d); err != nil {
		return Device{}, err
	}
	// What waited for the user while there was no device waits for this one.
	if err := w.AdoptDeliveries(user, d.ID, OpenStates(), now); err != nil {
		return Device{}, err
	}
	if d.Push == nil {
		return d, withdrawWakeup(w, user, d.ID, now)
	}
	return d, requireWakeup(w, user, &d, now)
}

// SeenDevice registers the device of the caller's token, unless it is registered, when what is known of it stays, or was
// removed since the token was issued. It is called when a token is seen for the first time.
func (s *Service) SeenDevice(ctx context.Context, caller Caller) error {
	if caller.DeviceID == "" {
		return nil
	}
	settled := false
	err := s.store.View(ctx, func(r Reader) (err error) {
		settled, err = settledDevice(r, caller)
		return err
	})
	if err != nil || settled {
		return err
	}
	n := NewDevice{ID: caller.DeviceID}
	if err := s.checkNewDevice(&n); err != nil {
		return err
	}
	return s.record(ctx, func(w Writer) error {
		if settled, err := settledDevice(w, caller); err != nil || settled { // it may have come meanwhile
			return err
		}
		_, err := s.register(w, caller.UserID, n)
		return err
	})
}

// settledDevice reports whether the device of the caller's token is registered, or removed since the token was issued.
// Tokens say only the second they were issued in: one of the second of the removal may be of somebody who signed in again,
// and counts as later.
func settledDevice(r DeviceReader, caller Caller) (bool, error) {
	if d, err := deviceOf(r, caller.UserID, caller.DeviceID); err != nil || d != nil {
		return d != nil, err
	}
	removed, ok, err := r.RemovedDevice(caller.UserID, caller.DeviceID)
	return ok && caller.Issued.Before(removed.Truncate(time.Second)), err
}

// CheckDevice refuses a caller whose device is not registered: messages are kept for registered ones alone.
func (s *Service) CheckDevice(ctx context.Context, caller Caller) error {
	if caller.DeviceID == "" {
		return nil
	}
	return s.store.View(ctx, func(r Reader) error { return hasDevice(r, caller.UserID, caller.DeviceID) })
}

// Devices lists the caller's devices by id.
func (s *Service) Devices(ctx context.Context, caller Caller) (devices []Device, err error) {
	err = s.store.View(ctx, func(r Reader) (err error) {
		devices, err = r.Devices(caller.UserID)
		return err
	})
	return devices, err
}

// MaxRemovedDevices is how many removed devices of one user are remembered.
const MaxRemovedDevices = 200

// RemoveDevice removes one of the caller's devices. Tokens issued before do not register it again.
func (s *Service) RemoveDevice(ctx context.Context, caller Caller, id string) error {
	return s.record(ctx, func(w Writer) error {
		if err := hasDevice(w, caller.UserID, id); err != nil {
			return err
		}
		at := w.Next()
		w.Announce(Event{At: at, Account: &AccountEvent{User: caller.UserID, Device: id}})
		if err := w.DeleteDevice(caller.UserID, id, at.Time()); err != nil {
			return err
		}
		return withdrawWakeup(w, caller.UserID, id, at.Time())
	})
}

func hasDevice(r DeviceReader, user UserID, id string) error {
	devices, err := r.Devices(user)
	if err != nil || slices.ContainsFunc(devices, func(d Device) bool { return d.ID == id }) {
		return err
	}
	return noDevice(id)
}

func noDevice(id string) error {
	return fail(CodeNotFound, "You have no device %q: GET /message/api/v2/devices lists yours, POST registers one", Clip(id))
}

// DevicesOf lists the devices of users. It is for the identity service.
func (s *Service) DevicesOf(ctx context.Context, users []UserID) (all map[UserID][]Device, err error) {
	all = make(map[UserID][]Device, len(users))
	err = s.store.View(ctx, func(r Reader) error {
		for _, user := range users {
			devices, err := r.Devices(user)
			if err != nil {
				return err
			}
			all[user] = devices
		}
		return nil
	})
	return all, err
}

func deviceOf(r DeviceReader, user UserID, id string) (*Device, error) {
	devices, err := r.Devices(user)
	for i := range devices {
		if devices[i].ID == id {
			return &devices[i], err
		}
	}
	return nil, err
}
