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
	Rate              float64       `default:"1000" placeholder:"N" help:"Requests per second that one user may make, where a body counts as one for each 32 KiB; 0 is no limit."`
	Burst             int           `default:"0" placeholder:"N" help:"Requests that one user may make at once after a pause; 0 is as many as in a second."`
	Payload           Size          `default:"2MiB" placeholder:"SIZE" help:"Largest content of an item or a message, not more than --limits-body; channels may ask for less."`
	TTL               time.Duration `name:"ttl" default:"720h" placeholder:"TIME" help:"How long a message waits for its recipient unless it says otherwise."`
	MaxTTL            time.Duration `name:"max-ttl" default:"8760h" placeholder:"TIME" help:"Longest time to live that a message may ask for."`
	StatusRetention   time.Duration `default:"168h" placeholder:"TIME" help:"How long the delivery status of an expired message can still be read."`
	Idempotency       time.Duration `default:"24h" placeholder:"TIME" help:"How long an idempotency key is remembered."`
	Channels          int           `default:"10000" placeholder:"N" help:"Most channels that one user may own; 0 is no limit."`
	Subscriptions     int           `default:"10000" placeholder:"N" help:"Most subscriptions that one user may have; 0 is no limit."`
	Devices           int           `default:"50" placeholder:"N" help:"Most devices that one user may register; 0 is no limit."`
	AppID             string        `name:"app-id" default:"edict" placeholder:"NAME" help:"Name of the application in creators of channels and in delivery states."`
	Domain            string        `default:"localhost" placeholder:"NAME" help:"Domain in creators of channels."`
	Heartbeat         time.Duration `default:"25s" placeholder:"TIME" help:"How often an idle stream gets a sign of life; who gives none back for two and a half times as long is cut."`
	StreamQueue       Size          `default:"4MiB" placeholder:"SIZE" help:"How much may wait for a stream whose reader is slow before it is cut; it resumes by its cursor."`
	Streams           int           `default:"50" placeholder:"N" help:"Most streams that one user may have open; 0 is no limit."`
	StreamsPerAddress int           `default:"1000" placeholder:"N" help:"Most streams that may be open from one address (an IPv6 network of 64 bits); 0 is no limit. Behind a proxy set --proxies, or all streams come from one."`
	Origins           []string      `placeholder:"ORIGIN" help:"Web origins whose pages may call messaging (CORS), such as https://app.example.org."`
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
