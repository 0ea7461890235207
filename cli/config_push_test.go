package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"edict/cli"
)

// TestPushConfig: what does not fit together is refused before the server starts, with the flag to mend.
func TestPushConfig(t *testing.T) {
	for args, complaint := range map[string]string{
		"--push-services pigeon":                             `"pigeon" is none of apns, fcm, unifiedpush, webpush`,
		"--push-services webpush,webpush":                    "webpush is named twice",
		"--push-services fcm":                                "fcm needs --push-fcm-credentials",
		"--push-services apns --push-apns-key k":             "apns needs --push-apns-key, --push-apns-key-id",
		"--push-hosts https://x":                             "--push-hosts: \"https://x\" is not a host",
		"--push-permit 10.0.0.0/99":                          "--push-permit: \"10.0.0.0/99\" is neither",
		"--push-concurrent 0":                                "--push-concurrent",
		"--push-timeout 1ms":                                 "--push-timeout",
		"--push-services fcm --push-fcm-credentials NO_SUCH": "--push-fcm-credentials: NO_SUCH: there is no such file",
		"--push-services fcm --push-fcm-credentials KEY":     "--push-fcm-credentials: KEY: it is not JSON",
		"--push-vapid-key KEY":                               "--push-vapid-key: KEY: there is no key (PEM) in it",
		"--push-contact ops@example.org":                     "neither mailto:ADDRESS nor",
		"--push-ca KEY":                                      "there is no certificate (PEM)",
	} {
		dir := t.TempDir()
		key := filepath.Join(dir, "key")
		if err := os.WriteFile(key, []byte("hunter2"), 0o600); err != nil {
			t.Fatal(err)
		}
		line := []string{"serve", "--listen", "127.0.0.1:0", "--only", "messaging", "--data", filepath.Join(dir, "data")}
		for word := range strings.FieldsSeq(args) {
			line = append(line, strings.ReplaceAll(word, "KEY", key))
		}
		status, _, stderr := run(t, line...)
		if complaint = strings.ReplaceAll(complaint, "KEY", key); status == 0 || !strings.Contains(stderr, complaint) {
			t.Errorf("%s: status %d, %s, want %q", args, status, stderr, complaint)
		}
		if strings.Contains(stderr, "hunter2") {
			t.Errorf("%s: the secret is shown: %s", args, stderr)
		}
	}
}

// TestNoPush: nobody has to push anything.
func TestNoPush(t *testing.T) {
	file := filepath.Join(t.TempDir(), "edict.yaml")
	if err := os.WriteFile(file, []byte("push:\n  services: []\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, _, err := cli.ParseServe("--config", file)
	if err != nil || len(c.Push.Services) != 0 {
		t.Errorf("%v, %v", c.Push.Services, err)
	}
}
