package cli_test

import (
	"testing"

	"edict/cli"
)

// TestDefaultData: a demonstration must not take the directory of a real server for its own.
func TestDefaultData(t *testing.T) {
	if got := cli.DefaultConfig().Server.Data; got != cli.DefaultData {
		t.Errorf("--data defaults to %q; serve --demo thinks %q", got, cli.DefaultData)
	}
}

// TestDemoOnLoopback: neither listener of a demonstration is open to other machines.
func TestDemoOnLoopback(t *testing.T) {
	for _, test := range []struct {
		listen, admin string
		ok            bool
	}{
		{"127.0.0.1:0", "", true},
		{"127.0.0.1:0", "localhost:9090", true},
		{"[::1]:0", "[::1]:9090", true},
		{"0.0.0.0:0", "", false},
		{"127.0.0.1:0", "0.0.0.0:9090", false},
		{"127.0.0.1:0", ":9090", false},
		{"127.0.0.1:0", "192.0.2.1:9090", false},
	} {
		cfg := cli.DefaultConfig()
		cfg.Server.Demo, cfg.Server.Listen, cfg.Server.AdminListen = true, test.listen, test.admin
		if err := cli.CheckDemo(&cfg); (err == nil) != test.ok {
			t.Errorf("--listen %s --admin-listen %s: %v", test.listen, test.admin, err)
		}
	}
}
