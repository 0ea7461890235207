package cli_test

import (
	"strings"
	"testing"

	"edict/cli"
)

// TestMessagingConfig: what a user of messaging would stumble over later is refused before the server starts.
func TestMessagingConfig(t *testing.T) {
	for args, complaint := range map[string]string{
		"--messaging-app-id a%b":                           `--messaging-app-id: "a%b" is not made of letters`,
		"--messaging-app-id=":                              `--messaging-app-id: ""`,
		"--messaging-domain a/b":                           `--messaging-domain: "a/b" is not made of letters`,
		"--messaging-origins app.example.org":              `--messaging-origins: "app.example.org" is no web origin`,
		"--messaging-origins https://app.example.org/":     `--messaging-origins: "https://app.example.org/" is no web origin`,
		"--messaging-origins https://*.*.example":          `--messaging-origins: "https://*.*.example" is no web origin`,
		"--messaging-heartbeat 1ms":                        "--messaging-heartbeat: 1ms is too small; give 1s or more",
		"--messaging-stream-queue 1":                       "--messaging-stream-queue: 1 is too small; give 64KiB or more",
		"--messaging-ttl 2h --messaging-max-ttl 1h":        "--messaging-max-ttl: 1h0m0s is less than --messaging-ttl 2h0m0s",
		"--messaging-rate=-1":                              "--messaging-rate: -1 is too small; give 0 or more",
		"--messaging-payload 5MiB":                         "--messaging-payload: content of 5MiB can never arrive, since --limits-body ends a request at 4MiB: raise --limits-body, or lower --messaging-payload",
		"--limits-body 1MiB":                               "--messaging-payload: content of 2MiB can never arrive, since --limits-body ends a request at 1MiB: raise --limits-body, or lower --messaging-payload",
		"--limits-body 1MiB --only simulation":             "",
		"--limits-body 1MiB --messaging-payload 1MiB":      "",
		"--limits-body 8MiB --messaging-payload 5MiB":      "",
		"--messaging-origins *":                            "",
		"--messaging-origins https://*.example.org":        "",
		"--messaging-origins http://localhost:3000":        "",
		"--messaging-app-id my_app --messaging-domain d.e": "",
	} {
		_, _, err := cli.ParseServe(strings.Fields(args)...)
		switch {
		case complaint == "" && err != nil:
			t.Errorf("%s: %v", args, err)
		case complaint != "" && (err == nil || !strings.Contains(err.Error(), complaint)):
			t.Errorf("%s: %v, want %q", args, err, complaint)
		}
	}
}
