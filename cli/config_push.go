package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"edict/messaging/delivery"
)

// PushConfig says how devices that are not connected are woken. Keys are files, so that neither a process list nor a
// configuration file shows them.
type PushConfig struct {
	Services       []string      `default:"webpush,unifiedpush" placeholder:"SERVICE" help:"Push services that wake devices: webpush, unifiedpush, fcm, apns."`
	Contact        string        `placeholder:"URL" help:"Contact for push services: mailto:ADDRESS or an https:// URL. Some services reject Web Push without it."`
	Hosts          []string      `default:"fcm.googleapis.com,*.push.services.mozilla.com,*.push.apple.com,*.notify.windows.com,ntfy.sh" placeholder:"HOST" help:"Hosts of push endpoints that users may register: NAME, *.DOMAIN or *. Append :PORT for ports other than 443."`
	Permit         []string      `placeholder:"WHAT" help:"Private addresses, ranges (10.0.0.0/8) and host names that may receive pushes, over plain HTTP too."`
	CA             string        `name:"ca" placeholder:"FILE" help:"Certificates (PEM) of additional authorities to trust."`
	VAPIDKey       string        `name:"vapid-key" placeholder:"FILE" help:"Private key for Web Push (PEM, P-256). When empty, it is derived from a stored secret and stays the same."`
	FCMCredentials string        `name:"fcm-credentials" placeholder:"FILE" help:"Key file (JSON) of a Google service account with access to FCM."`
	FCMURL         string        `name:"fcm-url" default:"https://fcm.googleapis.com" placeholder:"URL" help:"Base URL of FCM."`
	APNsKey        string        `name:"apns-key" placeholder:"FILE" help:"APNs authentication key (.p8)."`
	APNsKeyID      string        `name:"apns-key-id" placeholder:"ID" help:"Id of the APNs key."`
	APNsTeam       string        `name:"apns-team" placeholder:"ID" help:"Apple team id."`
	APNsTopic      string        `name:"apns-topic" placeholder:"ID" help:"Bundle id of the application."`
	APNsAlert      string        `name:"apns-alert" placeholder:"TEXT" help:"Text that APNs shows with a wake-up. Without it, iOS wakes the application in the background and may delay that."`
	APNsURL        string        `name:"apns-url" default:"https://api.push.apple.com" placeholder:"URL" help:"Base URL of APNs; https://api.sandbox.push.apple.com for development."`
	Concurrent     int           `default:"32" placeholder:"N" help:"Maximum number of concurrent pushes per service."`
	Timeout        time.Duration `default:"30s" placeholder:"TIME" help:"Timeout of a push."`
}

// pushServices are the adapters there are.
var pushServices = []string{"apns", "fcm", "unifiedpush", "webpush"}

func (c PushConfig) validate() error {
	wrong := append(c.checkURLs(), atLeast("--push-concurrent", c.Concurrent, 1), atLeast("--push-timeout", c.Timeout, time.Second))
	for i, name := range c.Services {
		switch {
		case !slices.Contains(pushServices, name):
			wrong = append(wrong, fmt.Errorf("--push-services: %q is none of %s", name, strings.Join(pushServices, ", ")))
		case slices.Contains(c.Services[:i], name):
			wrong = append(wrong, fmt.Errorf("--push-services: %s is named twice", name))
		}
	}
	if c.uses("fcm") && c.FCMCredentials == "" {
		wrong = append(wrong, errors.New("--push-services: fcm needs --push-fcm-credentials"))
	}
	if c.uses("apns") && (c.APNsKey == "" || c.APNsKeyID == "" || c.APNsTeam == "" || c.APNsTopic == "") {
		wrong = append(wrong, errors.New("--push-services: apns needs --push-apns-key, --push-apns-key-id, --push-apns-team and --push-apns-topic"))
	}
	if _, err := delivery.NewGuard(delivery.Rules{Hosts: c.Hosts}); err != nil {
		wrong = append(wrong, fmt.Errorf("--push-hosts: %w", err))
	}
	if _, err := delivery.NewGuard(delivery.Rules{Permit: c.Permit}); err != nil {
		wrong = append(wrong, fmt.Errorf("--push-permit: %w", err))
	}
	return errors.Join(wrong...)
}

func (c PushConfig) uses(service string) bool { return slices.Contains(c.Services, service) }

// guard returns the way out for pushes.
func (c PushConfig) guard() (*delivery.Guard, error) {
	rules := delivery.Rules{Hosts: c.Hosts, Permit: c.Permit}
	if c.CA != "" {
		var err error
		if rules.Authorities, err = os.ReadFile(c.CA); err != nil {
			return nil, fmt.Errorf("--push-ca: %s; give a file of certificates (PEM)", unread(err))
		}
	}
	guard, err := delivery.NewGuard(rules)
	if err != nil && c.CA != "" { // hosts and permitted addresses are validated
		err = fmt.Errorf("--push-ca: %s: %w", c.CA, err)
	}
	return guard, err
}

// vapid returns the sender of Web Push, with a key of the operator's or one made of the secret.
func (c PushConfig) vapid(secret []byte, now func() time.Time) (*delivery.VAPID, error) {
	key, err := delivery.DeriveKey(secret)
	if c.VAPIDKey != "" {
		key, err = readKey("--push-vapid-key", c.VAPIDKey, delivery.ParseKey)
	}
	if err != nil {
		return nil, err
	}
	v, err := delivery.NewVAPID(key, c.Contact, now)
	if err != nil {
		return nil, fmt.Errorf("--push-vapid-key: %s: %w", c.VAPIDKey, err) // the contact is validated
	}
	return v, nil
}

// adapters returns the adapters of the services in use.
func (c PushConfig) adapters(g *delivery.Guard, v *delivery.VAPID, now func() time.Time) (all []delivery.Adapter, err error) {
	if c.uses("webpush") {
		all = append(all, delivery.NewWebPush(g, v))
	}
	if c.uses("unifiedpush") {
		all = append(all, delivery.NewUnifiedPush(g, v))
	}
	if c.uses("fcm") {
		account, err := readKey("--push-fcm-credentials", c.FCMCredentials, func(text []byte) (*delivery.ServiceAccount, error) {
			return delivery.ParseServiceAccount(text, now)
		})
		if err != nil {
			return nil, err
		}
		all = append(all, delivery.NewFCM(c.FCMURL, account, g))
	}
	if c.uses("apns") {
		key, err := readKey("--push-apns-key", c.APNsKey, delivery.ParseKey)
		if err != nil {
			return nil, err
		}
		all = append(all, delivery.NewAPNs(delivery.APNsOptions{
			URL: c.APNsURL, Key: key, KeyID: c.APNsKeyID, Team: c.APNsTeam, Topic: c.APNsTopic, Alert: c.APNsAlert, Now: now,
		}, g))
	}
	return all, nil
}

// readKey reads a file with a secret in it, of which no error shows anything.
func readKey[T any](flag, file string, parse func([]byte) (T, error)) (key T, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return key, fmt.Errorf("%s: %s; give a key file", flag, unread(err))
	}
	if key, err = parse(text); err != nil {
		return key, fmt.Errorf("%s: %s: %w", flag, file, err)
	}
	return key, nil
}
