package cli

import (
	"errors"
	"strconv"
	"time"

	"edict/messaging"
)

// StorageConfig bounds what the store keeps, so that its disk does not fill.
type StorageConfig struct {
	ChannelMaxItems int64 `default:"0" placeholder:"N" help:"Maximum number of items that a channel keeps; older items are removed. Channels may set a lower maximum. 0 disables the limit."`
	ChannelMaxAge   Age   `default:"0" placeholder:"TIME" help:"Maximum age of items, in seconds or as a duration (720h); older items are removed. Channels may set a lower maximum. 0 disables the limit."`
	ChannelMaxBytes Size  `default:"1GiB" placeholder:"SIZE" help:"Maximum content that a channel keeps. Beyond it, publishing gets 413. 0 disables the limit."`
	UserMaxBytesDay Size  `default:"1GiB" placeholder:"SIZE" help:"Maximum content that a user publishes and sends per day (UTC). Beyond it, the user gets 429. Admins are exempt. 0 disables the limit."`
	DiskReserve     Size  `default:"512MiB" placeholder:"SIZE" help:"Minimum free space on the disk of the data directory. Below it, new data gets 507; reading and deleting continue. 0 disables the check; PostgreSQL has its own disk."`
}

func (c StorageConfig) validate() error {
	return errors.Join(atLeast("--channel-max-items", c.ChannelMaxItems, 0), atLeast("--channel-max-age", time.Duration(c.ChannelMaxAge), 0))
}

// bound adds the bounds to the limits of the domain.
func (c StorageConfig) bound(l messaging.Limits) messaging.Limits {
	l.ChannelItems, l.ChannelAge = c.ChannelMaxItems, time.Duration(c.ChannelMaxAge)
	l.ChannelBytes, l.UserBytesDay = int64(c.ChannelMaxBytes), int64(c.UserMaxBytesDay)
	return l
}

// Age is a duration of whole seconds, written as their number or as Go writes durations: 3600, 90s, 24h.
type Age time.Duration

// UnmarshalText reads an age.
func (a *Age) UnmarshalText(text []byte) error {
	d, err := messaging.ParseAge(string(text))
	*a = Age(d)
	return err
}

// MarshalText writes an age as UnmarshalText reads it.
func (a Age) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// String writes an age in seconds.
func (a Age) String() string { return strconv.FormatInt(int64(time.Duration(a)/time.Second), 10) }

// seconds returns an age as the API takes it.
func (a Age) seconds() *int64 { return new(int64(time.Duration(a) / time.Second)) }
