package messaging_test

import (
	"testing"

	"edict/cli"
	"edict/e2e"
)

// TestMessaging runs the golden files of the messaging service, each on a server of its own.
func TestMessaging(t *testing.T) {
	t.Parallel()
	e2e.RunMessaging(t, e2e.Start, "testdata/messaging/*.txtar", nil)
}

// TestMessagingRate runs into the rate limit.
func TestMessagingRate(t *testing.T) {
	t.Parallel()
	e2e.RunMessaging(t, e2e.Start, "testdata/messaging/limits/*.txtar", func(c *cli.MessagingConfig) { c.Rate, c.Burst = 0.01, 3 })
}

// TestMessagingQuotas runs into limits that are off by default.
func TestMessagingQuotas(t *testing.T) {
	t.Parallel()
	e2e.RunMessaging(t, e2e.Start, "testdata/messaging/quotas/*.txtar", func(c *cli.MessagingConfig) {
		c.Channels, c.Subscriptions, c.Devices, c.Payload = 2, 2, 2, 100
	})
}
