package cli

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"edict/messaging"
	"edict/messaging/msgapi"
	"edict/platform/web"
)

// MessagingConfig bounds what users of messaging may send and keep.
type MessagingConfig struct {
	Rate              float64       `default:"1000" placeholder:"N" help:"Maximum number of requests per second and user. Each 32 KiB of a body count as one request. 0 disables the limit."`
	Burst             int           `default:"0" placeholder:"N" help:"Maximum burst of requests per user. 0 means one second's worth."`
	Payload           Size          `default:"2MiB" placeholder:"SIZE" help:"Maximum content size of an item or message, up to --limits-body. Channels may set a lower maximum."`
	TTL               time.Duration `name:"ttl" default:"720h" placeholder:"TIME" help:"Default time until a direct message expires."`
	MaxTTL            time.Duration `name:"max-ttl" default:"8760h" placeholder:"TIME" help:"Maximum time until expiry that a message may request."`
	StatusRetention   time.Duration `default:"168h" placeholder:"TIME" help:"Retention of delivery status after a message expires."`
	Idempotency       time.Duration `default:"24h" placeholder:"TIME" help:"Retention of idempotency keys."`
	Channels          int           `default:"10000" placeholder:"N" help:"Maximum number of channels per owner; 0 disables the limit."`
	Subscriptions     int           `default:"10000" placeholder:"N" help:"Maximum number of subscriptions per user; 0 disables the limit."`
	Devices           int           `default:"50" placeholder:"N" help:"Maximum number of devices per user; 0 disables the limit."`
	AppID             string        `name:"app-id" default:"edict" placeholder:"NAME" help:"Application name (appId) in channel creators and delivery states."`
	Domain            string        `default:"localhost" placeholder:"NAME" help:"Domain name in channel creators."`
	Heartbeat         time.Duration `default:"25s" placeholder:"TIME" help:"Heartbeat interval of idle streams. Clients silent for 2.5 intervals are disconnected."`
	StreamQueue       Size          `default:"4MiB" placeholder:"SIZE" help:"Maximum queue of a slow stream. Beyond it, the client is disconnected and can resume by cursor."`
	Streams           int           `default:"50" placeholder:"N" help:"Maximum number of open streams per user; 0 disables the limit."`
	StreamsPerAddress int           `default:"1000" placeholder:"N" help:"Maximum number of open streams per address (IPv6: per /64 network); 0 disables the limit. Behind a proxy, set --proxies: otherwise all streams count as one address."`
	Origins           []string      `placeholder:"ORIGIN" help:"Web origins that may call messaging (CORS), such as https://app.example.org."`
}

func (c MessagingConfig) validate() error {
	wrong := []error{
		atLeast("--messaging-rate", c.Rate, 0), atLeast("--messaging-burst", c.Burst, 0), positive("--messaging-payload", c.Payload),
		atLeast("--messaging-ttl", c.TTL, time.Second), atLeast("--messaging-status-retention", c.StatusRetention, time.Second),
		atLeast("--messaging-idempotency", c.Idempotency, time.Second), atLeast("--messaging-heartbeat", c.Heartbeat, time.Second),
		atLeast("--messaging-channels", c.Channels, 0), atLeast("--messaging-subscriptions", c.Subscriptions, 0), atLeast("--messaging-devices", c.Devices, 0),
		atLeast("--messaging-streams", c.Streams, 0), atLeast("--messaging-streams-per-address", c.StreamsPerAddress, 0), atLeast("--messaging-stream-queue", c.StreamQueue, 64<<10),
	}
	for flag, name := range map[string]string{"app-id": c.AppID, "domain": c.Domain} {
		if !nameInCreator.MatchString(name) {
			wrong = append(wrong, fmt.Errorf("--messaging-%s: %q is not made of letters, digits, '.', '_' and '-', which keep the parts of a creator apart", flag, name))
		}
	}
	for _, origin := range c.Origins {
		if !isOrigin(origin) {
			wrong = append(wrong, fmt.Errorf("--messaging-origins: %q is no web origin: write SCHEME://HOST or SCHEME://HOST:PORT without a path, or * for any", origin))
		}
	}
	if c.MaxTTL < c.TTL {
		wrong = append(wrong, fmt.Errorf("--messaging-max-ttl: %v is less than --messaging-ttl %v; raise the first, or lower the other", c.MaxTTL, c.TTL))
	}
	return errors.Join(wrong...)
}

// nameInCreator is what may stand between the signs of USER%APP@DOMAIN/DEVICE.
var nameInCreator = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// isOrigin reports whether text is what browsers send as Origin, or a pattern of it: "*", or one "*" in the host.
func isOrigin(text string) bool {
	if text == "*" {
		return true
	}
	u, err := url.Parse(strings.Replace(text, "*", "any", 1))
	return err == nil && u.Host != "" && u.Scheme+"://"+u.Host == strings.Replace(text, "*", "any", 1) && !strings.Contains(u.Host, "*")
}

// limits returns the limits of the domain.
func (c MessagingConfig) limits() messaging.Limits {
	l := messaging.DefaultLimits()
	l.Payload = int(c.Payload)
	l.TTL, l.MaxTTL, l.StatusFor, l.IdempotencyFor = c.TTL, c.MaxTTL, c.StatusRetention, c.Idempotency
	l.ChannelsPerUser, l.SubscriptionsPerUser, l.DevicesPerUser = c.Channels, c.Subscriptions, c.Devices
	return l
}

// options returns the options of the wire.
func (c MessagingConfig) options(service *messaging.Service, now func() time.Time) msgapi.Options {
	o := msgapi.Options{Service: service, AppID: c.AppID, Domain: c.Domain, Rate: c.Rate, Burst: c.Burst, Now: now}
	if c.Rate == 0 {
		o.Rate = -1 // the zero value there is the default
	}
	return o
}

// cors returns what pages of other origins may do; nil when there are none.
func (c MessagingConfig) cors() *web.CORS {
	if len(c.Origins) == 0 {
		return nil
	}
	return &web.CORS{Origins: c.Origins}
}
