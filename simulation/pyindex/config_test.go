package pyindex_test

import (
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"edict/simulation/pyindex"
)

func settings(env, files map[string]string) pyindex.Settings {
	return pyindex.Settings{
		Env: func(key string) string { return env[key] }, Home: "/home/ann", GOOS: "linux",
		Read: func(name string) ([]byte, error) {
			if text, ok := files[name]; ok {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		},
	}
}

func TestFromPip(t *testing.T) {
	base := pyindex.Config{Timeout: 15 * time.Second, Netrc: "/home/ann/.netrc"}
	with := func(change func(*pyindex.Config)) pyindex.Config {
		c := base
		change(&c)
		return c
	}
	machine := "[global]\nindex-url = https://machine.example/simple\ntimeout = 60\n"
	for name, c := range map[string]struct {
		env, files map[string]string
		want       pyindex.Config
	}{
		"nothing": {nil, nil, base},
		"variables": {map[string]string{
			"PIP_INDEX_URL": "https://a.example/simple", "PIP_EXTRA_INDEX_URL": "https://b.example/ https://c.example/", "PIP_CERT": "/ca.pem", "PIP_TRUSTED_HOST": "d.example e.example:81",
			"PIP_FIND_LINKS": "/wheels", "PIP_PROXY": "http://proxy:1", "PIP_DEFAULT_TIMEOUT": "180", "PIP_PRE": "1", "PIP_CLIENT_CERT": "/me.pem", "NETRC": "/my.netrc",
		}, nil, pyindex.Config{
			Indexes: []string{"https://a.example/simple", "https://b.example/", "https://c.example/"}, Cert: "/ca.pem", TrustedHosts: []string{"d.example", "e.example:81"},
			FindLinks: []string{"/wheels"}, Proxy: "http://proxy:1", Timeout: 180 * time.Second, PreReleases: true, ClientCert: "/me.pem", Netrc: "/my.netrc",
		}},
		"files, the user's over the machine's": {nil, map[string]string{
			"/etc/pip.conf": machine, "/home/ann/.config/pip/pip.conf": "; mine\n[global]\nIndex_URL: https://user.example/simple\nextra-index-url =\n    https://one.example/\n    https://two.example/\n",
		}, with(func(c *pyindex.Config) {
			c.Indexes, c.Timeout = []string{"https://user.example/simple", "https://one.example/", "https://two.example/"}, time.Minute
		})},
		"install over global": {nil, map[string]string{"/etc/pip.conf": machine + "[install]\nindex-url = https://install.example/\n[download]\nindex-url = https://other.example/\n"},
			with(func(c *pyindex.Config) { c.Indexes, c.Timeout = []string{"https://install.example/"}, time.Minute })},
		"a variable over files": {map[string]string{"PIP_INDEX_URL": "https://env.example/"}, map[string]string{"/etc/pip.conf": machine},
			with(func(c *pyindex.Config) { c.Indexes, c.Timeout = []string{"https://env.example/"}, time.Minute })},
		"a file of its own in place of the user's": {map[string]string{"PIP_CONFIG_FILE": "/own.conf"}, map[string]string{
			"/etc/pip.conf": machine, "/home/ann/.pip/pip.conf": "[global]\nindex-url = https://user.example/\nproxy = http://p:1\n", "/own.conf": "[global]\ntimeout = 5\n",
		}, with(func(c *pyindex.Config) {
			c.Indexes, c.Timeout = []string{"https://machine.example/simple"}, 5*time.Second
		})},
		"no files": {map[string]string{"PIP_CONFIG_FILE": "/dev/null"}, map[string]string{"/etc/pip.conf": machine}, base},
		"of a virtual environment": {map[string]string{"VIRTUAL_ENV": "/venv"}, map[string]string{"/venv/pip.conf": machine}, with(func(c *pyindex.Config) {
			c.Indexes, c.Timeout = []string{"https://machine.example/simple"}, time.Minute
		})},
		"no index":                {map[string]string{"PIP_NO_INDEX": "yes", "PIP_FIND_LINKS": "/w"}, map[string]string{"/etc/pip.conf": machine}, with(func(c *pyindex.Config) { c.NoIndex, c.FindLinks, c.Timeout = true, []string{"/w"}, time.Minute })},
		"authorities of requests": {map[string]string{"REQUESTS_CA_BUNDLE": "/bundle.pem"}, nil, with(func(c *pyindex.Config) { c.Cert = "/bundle.pem" })},
	} {
		got, err := pyindex.FromPip(settings(c.env, c.files))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestWrongConfiguration(t *testing.T) {
	for text, says := range map[string]string{
		"index-url = x\n":                     "line 1 is in no section",
		"[global]\n  x\n":                     "line 2 is indented",
		"[global]\nnonsense\n":                "line 2 is neither",
		"[global]\ntimeout = soon\n":          "not a number of seconds",
		"[global]\nno-index = perhaps\n":      "neither yes nor no",
		"[global]\ndefault-timeout = 1e300\n": "not a number of seconds",
	} {
		_, err := pyindex.FromPip(settings(nil, map[string]string{"/etc/pip.conf": text}))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// FuzzFromPip: a file of any content is read or refused.
func FuzzFromPip(f *testing.F) {
	f.Add("[global]\nindex-url = https://a/\n  https://b/\n; c\n[install]\npre: yes\n", "https://x:y@z/ ")
	f.Fuzz(func(t *testing.T, file, extra string) {
		c, err := pyindex.FromPip(settings(map[string]string{"PIP_EXTRA_INDEX_URL": extra}, map[string]string{"/etc/pip.conf": file}))
		if err == nil {
			_, _ = pyindex.NewClient(pyindex.Config{Indexes: c.Indexes, FindLinks: c.FindLinks, TrustedHosts: c.TrustedHosts})
		}
	})
}
