package messaging

import "time"

// Limits bounds what callers may ask for and keep. Take DefaultLimits and change what must differ;
// the zero value of a quota is "no quota".
type Limits struct {
	Payload              int           // ceiling and default of a channel's maxPayloadSize, and the limit of a direct message
	Description          int           // characters of a channel's description
	Page                 int           // most results of one page
	PageBytes            int64         // of content in one page, about: it ends before what would exceed them, unless that is its first
	IDs                  int           // most ids in one request
	Recipients           int           // most recipients of one message
	Tags                 int           // most tags of one channel
	TagLength            int           // characters of a tag
	TypeLength           int           // bytes of messageType and contentType
	IdempotencyKey       int           // bytes of an idempotency key
	Label                int           // characters of a device's label
	Push                 int           // bytes of a device's push target
	TTL                  time.Duration // of a direct message that names none
	MaxTTL               time.Duration // the longest that may be asked for
	IdempotencyFor       time.Duration // how long an idempotency key is remembered
	StatusFor            time.Duration // how long the status of an expired message can still be read
	ChangesFor           time.Duration // how long streams that were away hear that a subscription, an invitation or a channel is gone
	ChannelsPerUser      int           // quota, 0 = none
	SubscriptionsPerUser int           // quota, 0 = none
	DevicesPerUser       int           // quota, 0 = none
	ChannelItems         int64         // most items that a channel keeps, 0 = no maximum
	ChannelAge           time.Duration // longest that a channel keeps items, 0 = no maximum
	ChannelBytes         int64         // quota, content that a channel keeps, 0 = none
	UserBytesDay         int64         // quota, content that a user stores per day, 0 = none
}

// DefaultPage is the page size of a request that names none.
const DefaultPage = 200

// DefaultLimits returns the limits of a server that configures none.
func DefaultLimits() Limits {
	return Limits{
		Payload:        2 << 20,
		Description:    255,
		Page:           1000,
		PageBytes:      8 << 20,
		IDs:            1000,
		Recipients:     1000,
		Tags:           100,
		TagLength:      25,
		TypeLength:     255,
		IdempotencyKey: 255,
		Label:          100,
		Push:           8 << 10,
		TTL:            30 * 24 * time.Hour,
		MaxTTL:         365 * 24 * time.Hour,
		IdempotencyFor: 24 * time.Hour,
		StatusFor:      7 * 24 * time.Hour,
		ChangesFor:     30 * 24 * time.Hour,
		DevicesPerUser: 50,
	}
}

func (l Limits) checkPage(offset, size int) error {
	if size < 1 || size > l.Page {
		return invalid("size is %d: it must be between 1 and %d", size, l.Page)
	}
	if offset < 0 {
		return invalid("offset is %d: it must not be negative", offset)
	}
	return nil
}
