package msgapi

import (
	"encoding/json"
	"net/http"

	"edict/messaging"
	"edict/platform/web"
)

// newDevice is the body of "register a device".
type newDevice struct {
	DeviceID string                     `json:"deviceId,omitempty" pattern:"^[A-Za-z0-9_.-]{0,64}$" doc:"generated when absent; registering again replaces the device"`
	Label    string                     `json:"label,omitempty" max:"100" pattern:"^[^\\x00-\\x1f\\x7f]*$" doc:"name that the user recognises"`
	Platform string                     `json:"platform,omitempty" enum:"android,ios,web,desktop,other" doc:"android, ios, web, desktop or other"`
	Push     map[string]json.RawMessage `json:"push,omitempty" doc:"push target: service, with endpoint and keys {p256dh, auth} for webpush and unifiedpush, token for fcm and apns"`
}

func (n *newDevice) input() (messaging.NewDevice, error) {
	in := messaging.NewDevice{ID: n.DeviceID, Label: n.Label, Platform: n.Platform}
	if n.Push == nil {
		return in, nil
	}
	var service string
	if err := json.Unmarshal(n.Push["service"], &service); err != nil {
		return in, illegal("push.service is missing or no text: use webpush, fcm, apns or unifiedpush")
	}
	delete(n.Push, "service")
	target, err := json.Marshal(n.Push)
	if err != nil {
		return in, err
	}
	in.Push = &messaging.Push{Service: service, Target: target}
	return in, nil
}

// device is a device of the caller. What is needed to wake it is not shown again: it is a secret.
type device struct {
	DeviceID     string      `json:"deviceId"`
	Label        string      `json:"label"`
	Platform     string      `json:"platform"`
	Push         *pushTarget `json:"push" doc:"null when the device cannot be woken"`
	CreationDate string      `json:"creationDate"`
}

type pushTarget struct {
	Service string `json:"service"`
}

func deviceOf(d *messaging.Device) device {
	out := device{DeviceID: d.ID, Label: d.Label, Platform: d.Platform, CreationDate: formatTime(d.Created)}
	if d.Push != nil {
		out.Push = &pushTarget{d.Push.Service}
	}
	return out
}

// PushInfo is what a device has to know to be woken by this server.
type PushInfo struct {
	Services  []string // by which devices are woken here
	PublicKey string   // of Web Push, "" without it
}

type pushInfo struct {
	Services       []string `json:"services" doc:"enabled push services"`
	VAPIDPublicKey *string  `json:"vapidPublicKey" doc:"applicationServerKey of a Web Push subscription, in base64url; null without Web Push"`
}

func (a *API) pushInfo(w http.ResponseWriter, _ *http.Request, _ messaging.Caller) error {
	return web.WriteJSON(w, http.StatusOK, pushInfo{Services: append([]string{}, a.push.Services...), VAPIDPublicKey: orNull(a.push.PublicKey)})
}

func (a *API) registerDevice(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	var body newDevice
	if err := web.ReadJSON(r, &body); err != nil {
		return err
	}
	in, err := body.input()
	if err != nil {
		return err
	}
	d, err := a.service.RegisterDevice(r.Context(), caller, in)
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusCreated, deviceOf(&d))
}

func (a *API) listDevices(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	devices, err := a.service.Devices(r.Context(), caller)
	if err != nil {
		return err
	}
	out := make([]device, len(devices))
	for i := range devices {
		out[i] = deviceOf(&devices[i])
	}
	return web.WriteJSON(w, http.StatusOK, out)
}

func (a *API) removeDevice(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	if err := a.service.RemoveDevice(r.Context(), caller, r.PathValue("device_id")); err != nil {
		return err
	}
	return done(w)
}
