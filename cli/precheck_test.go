package cli_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"edict/cli"
)

// wrongServe are the flags of serve with a value that cannot be meant: what the first line of the answer must name besides the flag,
// and the rest of the command line.
var wrongServe = []struct{ flag, value, names, with string }{
	{"--listen", "nonsense", "nonsense", ""},
	{"--listen", "127.0.0.1:99999", "0 to 65535", ""},
	{"--listen", "203.0.113.7:8080", "an address of this machine", ""},
	{"--admin-listen", "nonsense", "nonsense", ""},
	{"--admin-listen", "203.0.113.7:8080", "an address of this machine", ""},
	{"--proxies", "10.0.0.0/99", "10.0.0.0/8", ""},
	{"--public-url", "api.example.org", "api.example.org", ""},
	{"--drain", "0s", "more than 0", ""},
	{"--drain", "soon", "soon", ""},
	{"--only", "both", "messaging nor simulation", ""},
	{"--headroom", "99999GiB", "or less", ""},
	{"--watch", "--only messaging", "leave out --only", ""},
	{"--watch-key", "junk", "junk", ""},
	{"--watch-key", "dir", "dir", ""},
	{"--watch-runs", "0", "1 or more", ""},
	{"--bus", "nats://127.0.0.1:4222", "--store", ""},
	{"--bus", "kafka", "nats://", ""},
	{"--store-standby", "maybe", "maybe", ""},
	{"--store-wait", "-1s", "-1s", ""},
	{"--store", "mysql://127.0.0.1:1/x", "postgres://", ""},
	{"--data", "junk", "is a file", ""},
	{"--data", "junk/below", "is a file", ""},
	{"--tls-cert", "missing", "give both", ""},
	{"--tls-cert", "missing", "no such file", "--tls-key missing"},
	{"--tls-key", "junk", "PEM", "--tls-cert junk"},
	{"--tls-acme-hosts", "a.example", "--tls-acme-accept-terms", ""},
	{"--tls-acme-hosts", "a/b", "a/b", "--tls-acme-accept-terms"},
	{"--tls-acme-directory", "nonsense", "nonsense", "--tls-acme-hosts a.example --tls-acme-accept-terms"},
	{"--tls-acme-email", "nonsense", "nonsense", "--tls-acme-hosts a.example --tls-acme-accept-terms"},
	{"--log-level", "loud", "loud", ""},
	{"--log-format", "xml", "xml", ""},
	{"--log-access", "some", "some", ""},
	{"--limits-body", "lots", "lots", ""},
	{"--limits-body", "0", "more than 0", ""},
	{"--limits-depth", "0", "more than 0", ""},
	{"--limits-header", "0", "more than 0", ""},
	{"--limits-read-header", "0s", "more than 0", ""},
	{"--limits-read", "0s", "more than 0", ""},
	{"--limits-write", "0s", "more than 0", ""},
	{"--limits-idle", "0s", "more than 0", ""},
	{"--limits-handler", "0s", "more than 0", ""},
	{"--limits-memory", "64MiB", "64MiB", ""},
	{"--limits-connections", "-1", "0 or more", ""},
	{"--limits-per-address", "0", "more than 0", ""},
	{"--auth-issuer", "nonsense", "nonsense", ""},
	{"--auth-registration", "maybe", "maybe", ""},
	{"--auth-access-ttl", "0s", "1s or more", ""},
	{"--auth-refresh-ttl", "1s", "--auth-access-ttl", ""},
	{"--auth-rate", "-1", "0 or more", ""},
	{"--auth-sessions", "0", "1 or more", ""},
	{"--auth-audit-retention", "1s", "or more", ""},
	{"--auth-accept", "nonsense", "audience=NAME", ""},
	{"--auth-accept", "http://issuer.example audience=x", "https://", ""},
	{"--auth-accept", "https://issuer.example audience=x algorithms=none", "RS256", ""},
	{"--messaging-rate", "-1", "0 or more", ""},
	{"--messaging-burst", "-1", "0 or more", ""},
	{"--messaging-payload", "0", "more than 0", ""},
	{"--messaging-payload", "100MiB", "--limits-body", ""},
	{"--messaging-ttl", "0s", "1s or more", ""},
	{"--messaging-max-ttl", "1s", "--messaging-ttl", ""},
	{"--messaging-status-retention", "0s", "1s or more", ""},
	{"--messaging-idempotency", "0s", "1s or more", ""},
	{"--messaging-channels", "-1", "0 or more", ""},
	{"--messaging-subscriptions", "-1", "0 or more", ""},
	{"--messaging-devices", "-1", "0 or more", ""},
	{"--channel-max-items", "-1", "0 or more", ""},
	{"--channel-max-age", "soon", "not an age", ""},
	{"--channel-max-bytes", "much", "is not a size", ""},
	{"--user-max-bytes-day", "much", "is not a size", ""},
	{"--disk-reserve", "some", "is not a size", ""},
	{"--messaging-app-id", "a b", "letters, digits", ""},
	{"--messaging-domain", "a b", "letters, digits", ""},
	{"--messaging-heartbeat", "0s", "1s or more", ""},
	{"--messaging-stream-queue", "1", "64KiB or more", ""},
	{"--messaging-streams", "-1", "0 or more", ""},
	{"--messaging-streams-per-address", "-1", "0 or more", ""},
	{"--messaging-origins", "nonsense", "SCHEME://HOST", ""},
	{"--push-services", "pigeon", "webpush", ""},
	{"--push-services", "fcm", "--push-fcm-credentials", ""},
	{"--push-services", "apns", "--push-apns-key", ""},
	{"--push-contact", "nonsense", "mailto:", ""},
	{"--push-hosts", "a b", "*.DOMAIN", ""},
	{"--push-permit", "a b", "10.0.0.0/8", ""},
	{"--push-ca", "missing", "no such file", ""},
	{"--push-ca", "junk", "PEM", ""},
	{"--push-vapid-key", "missing", "no such file", ""},
	{"--push-vapid-key", "junk", "PEM", ""},
	{"--push-fcm-credentials", "missing", "no such file", ""},
	{"--push-fcm-credentials", "junk", "JSON", "--push-services fcm"},
	{"--push-fcm-url", "nonsense", "nonsense", ""},
	{"--push-apns-key", "missing", "no such file", ""},
	{"--push-apns-key", "junk", "PEM", "--push-services apns --push-apns-key-id x --push-apns-team x --push-apns-topic x"},
	{"--push-apns-url", "nonsense", "nonsense", ""},
	{"--push-concurrent", "0", "1 or more", ""},
	{"--push-timeout", "0s", "1s or more", ""},
	{"--country", "./missing", "no such file", ""},
	{"--country", "missing", "edict country install", ""},
	{"--country", "dir", "dir", ""},
	{"--country", "junk", ".whl", ""},
	{"--extension", "./missing", "no such file", ""},
	{"--extension", "dir", "dir", ""},
	{"--labels", "missing", "no such file", ""},
	{"--labels", "junk", "expected a mapping", ""},
	{"--reform", "missing.py", "no such file", ""},
	{"--reform", "missing", "tranche_superieure", ""},
	{"--set", "missing", "PATH=VALUE", ""},
	{"--set", "missing=1", "impot_revenu", ""},
	{"--set", "impot_revenu.bareme[0].rate=x", "x", ""},
	{"--profile", "16", "32", ""},
	{"--dialect", "numpy3", "numpy2", ""},
	{"--dialect", "numpy1,numpy2", "give one", ""},
	{"--today", "yesterday", "2026-01-31", ""},
	{"--cache", "junk", "is a file", ""},
	{"--simulation-memory", "1", "or more", ""},
	{"--simulation-auth", "required", "leave out one", "--only simulation"},
	{"--simulation-headline", "missing", "missing", ""},
	{"--simulation-scenarios", "0", "more than 0", ""},
	{"--simulation-points", "0", "more than 0", ""},
	{"--simulation-cells", "0", "more than 0", ""},
	{"--simulation-body", "0", "more than 0", ""},
	{"--simulation-timeout", "0s", "more than 0", ""},
	{"--simulation-concurrent", "-1", "0 or more", ""},
	{"--simulation-waiting", "0", "1 or more", ""},
	{"--simulation-values", "0", "more than 0", ""},
	{"--simulation-answer", "0", "more than 0", ""},
	{"--simulation-populations", "maybe", "maybe", ""},
	{"--simulation-population-body", "0", "more than 0", ""},
	{"--simulation-population-rows", "0", "more than 0", ""},
	{"--simulation-population-max", "0", "more than 0", ""},
	{"--simulation-population-retention", "0s", "more than 0", ""},
	{"--simulation-population-cores", "-1", "0 or more", ""},
	{"--warm", "missing", "no such file", ""},
	{"--warm", "junk", "junk:1", ""},
	{"--demo", "--listen 0.0.0.0:0", "loopback", ""},
	{"--config", "missing", "no such file", ""},
	{"--lisen", ":0", "--listen", ""},
}

// unvalued are flags of serve whose values cannot be wrong, or are wrong only for a service elsewhere.
var unvalued = strings.Fields("--help --console --until-input-ends --node --tls-acme-accept-terms --log-slow --auth-password-grant " +
	"--push-apns-key-id --push-apns-team --push-apns-topic --push-apns-alert --simulation-welcome")

// TestWrongServe: a wrong file or value of any flag of serve ends it before anything is created, with an answer of at most five lines
// whose first names the flag, the value and the remedy.
func TestWrongServe(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("junk", []byte("junk\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("dir", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range wrongServe {
		t.Run(c.flag+" "+c.value, func(t *testing.T) {
			args := append([]string{"serve"}, strings.Fields(c.with)...)
			if strings.HasPrefix(c.value, "--") { // a flag without a value, next to one that contradicts it
				args = append(append(args, c.flag), strings.Fields(c.value)...)
			} else {
				args = append(args, c.flag, c.value)
			}
			for flag, value := range map[string]string{"--listen": "127.0.0.1:0", "--data": "data"} {
				if !strings.Contains(strings.Join(args, " "), flag) {
					args = append(args, flag, value)
				}
			}
			status, answer := refused(t, args)
			if status == 0 {
				t.Errorf("status 0:\n%s", answer)
			}
			lines := strings.Split(strings.TrimSpace(answer), "\n")
			if len(lines) > 5 {
				t.Errorf("%d lines:\n%s", len(lines), answer)
			}
			for _, want := range []string{c.flag, c.names} {
				if !strings.Contains(lines[0], want) {
					t.Errorf("the first line has no %q:\n%s", want, answer)
				}
			}
			left, err := filepath.Glob("*")
			if err != nil || strings.Join(left, " ") != "dir junk" {
				t.Errorf("%v is left behind (%v)", left, err)
			}
		})
	}
}

// refused runs a command that must end by itself.
func refused(t *testing.T, args []string) (status int, answer string) {
	t.Helper()
	withoutTestSettings(t)
	var out, complaint bytes.Buffer
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	status = cli.Run(ctx, args, &cli.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &complaint, Now: time.Now})
	if out.Len() > 0 {
		t.Errorf("standard output has %q", out.String())
	}
	return status, complaint.String()
}

// TestWrongServeIsWhole: every flag of serve is in the table above, or in the list of those that take anything.
func TestWrongServeIsWhole(t *testing.T) {
	tried := map[string]bool{}
	for _, c := range wrongServe {
		tried[c.flag] = true
	}
	for _, flag := range unvalued {
		tried[flag] = true
	}
	for _, name := range cli.ServeFlags() {
		if !tried["--"+name] {
			t.Errorf("--%s: no wrong value of it is tried", name)
		}
	}
}

// TestWrongAdd: a client or a user that cannot be added creates no data directory.
func TestWrongAdd(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, line := range []string{
		"client add app --scope bogus --secret", "client add app", "client add app --redirect ftp://x",
		"user add ada --id a/b", "user add " + strings.Repeat("x", 1000), "user add ada --password-stdin",
	} {
		status, answer := refused(t, append(strings.Fields(line), "--data", "data"))
		left, err := filepath.Glob("*")
		if status == 0 || len(left) > 0 || err != nil {
			t.Errorf("%s: status %d, %v is left behind (%v):\n%s", line, status, left, err, answer)
		}
	}
}

// TestWrongCall: what is wrong with a call is said in at most five lines, with the nearest command or flag in the first.
func TestWrongCall(t *testing.T) {
	t.Chdir(t.TempDir())
	for line, want := range map[string]string{
		"":                      "give a command",
		"foo":                   `there is no command "foo"`,
		"srve":                  `did you mean "serve"?`,
		"usr add x":             `did you mean "user"?`,
		"user creat":            `did you mean "user create"?`,
		"install openfisca":     `did you mean "country install"?`,
		"user":                  "create, delete, disable, enable, export, list, passwd, reset",
		"help srve":             `did you mean "serve"?`,
		"serve --lisen :0":      `did you mean "--listen"?`,
		"serve extra":           "extra",
		"token create":          "--user",
		"config check":          "edict config check FILE",
		"publish":               "<",
		"serve --limits-body=x": "--limits-body",
	} {
		status, answer := refused(t, strings.Fields(line))
		first, _, _ := strings.Cut(answer, "\n")
		if status != 2 || strings.Count(answer, "\n") > 5 || !strings.Contains(first, want) || !strings.Contains(answer, "Usage: edict") {
			t.Errorf("edict %s: status %d, want 2 and %q in the first of at most five lines:\n%s", line, status, want, answer)
		}
	}
}
