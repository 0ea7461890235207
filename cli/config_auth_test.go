package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"edict/cli"
)

func TestIssuersOfTheConfiguration(t *testing.T) {
	want := []cli.IssuerSpec{
		{URL: "https://one.example", Audience: "edict"},
		{URL: "https://two.example/realm", Audience: "a,b", Algorithms: []string{"RS256", "ES256"}, UserClaim: "login", AdminScope: "boss", Client: "console", Scope: "openid email", Name: "Our Directory"},
	}
	specs := []string{"https://one.example audience=edict", "https://two.example/realm audience=a,b algorithms=RS256+ES256 user-claim=login admin-scope=boss client=console scope=openid+email name=Our+Directory"}
	byFlag, _, err := cli.ParseServe("--auth-accept", specs[0], "--auth-accept", specs[1])
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, byFlag.Auth.Accept); diff != "" {
		t.Error(diff)
	}
	file := filepath.Join(t.TempDir(), "edict.yaml")
	if err := os.WriteFile(file, []byte("auth:\n  accept:\n    - "+specs[0]+"\n    - "+specs[1]+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	byFile, _, err := cli.ParseServe("--config", file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, byFile.Auth.Accept); diff != "" {
		t.Error(diff)
	}
	for spec, complaint := range map[string]string{
		"https://one.example":                      "needs audience=NAME",
		"audience=edict":                           "does not begin with the URL",
		"https://one.example audience":             "is not key=value",
		"https://one.example audience=e secret=no": `"secret" is none of`,
	} {
		if _, _, err := cli.ParseServe("--auth-accept", spec); err == nil || !strings.Contains(err.Error(), complaint) {
			t.Errorf("%s: %v", spec, err)
		}
	}
}
