package cli_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"edict/cli"
)

// follow runs a command and returns what it prints.
func follow(t *testing.T, args []string) string {
	t.Helper()
	var out, wrong bytes.Buffer
	status := cli.Run(context.Background(), args, &cli.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &wrong, Now: time.Now})
	if status != 0 {
		t.Fatalf("edict %s: status %d\n%s", strings.Join(args, " "), status, wrong.String())
	}
	return out.String()
}

// TestPopulationUsage: what cannot be meant is refused before anything is read, with status 2.
func TestPopulationUsage(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"", "--output: a file is needed, unless a report is asked for"},
		{"--compare", "--compare: there is nothing to compare with: name a --reform, or --set a parameter"},
		{"--tolerance=-1", "--tolerance: an amount of 0 or more is expected, such as 0.5, not -1; without the flag it is 1"},
		{"--tolerance=inf", "--tolerance: an amount of 0 or more is expected, such as 0.5, not +Inf"},
		{"--poverty-line=NaN", "--poverty-line: an amount above 0 is expected, such as 13000, not NaN; without the flag it is 60 % of the median"},
		{"--poverty-line=inf", "--poverty-line: an amount above 0 is expected"},
		{"--poverty-line=-3", "--poverty-line: an amount above 0 is expected"},
		{"--poverty-line=0", "--poverty-line: an amount above 0 is expected"},
		{"--poverty-line=much", `--poverty-line: expected a float but got "much"`},
		{"--output o.csv --chunk=-1", "--chunk: 0 to 1048576 persons are expected, not -1"},
		{"--output o.csv --chunk=1048577", "--chunk: 0 to 1048576 persons are expected"},
		{"--output o.csv --jobs=-1", "--jobs: 0 to 4096 chunks are expected, not -1"},
		{"--output o.csv --memory=0", "--memory: it must be more than nothing, such as 700MiB"},
		{"--output o.csv --part 0/3", `--part: "0/3" is no part`},
		{"--output o.csv --part=", "--part: it has no value: give I/N, or leave the flag out"},
		{"--weight=", "--weight: it has no value: give COLUMN, or leave the flag out"},
		{"--equivalence=", "--equivalence: it has no value: give SCALE"},
		{"--weight w --by=", "--by: it has no value: give COLUMN"},
		{"--weight w --by=w,,x", "--by: it has no value: give COLUMN"},
		{"--output o.csv --period=", "--period: it has no value: give PERIOD"},
	} {
		args := append(strings.Fields("population --input nowhere.csv --variables revdisp --period 2022"), strings.Fields(c.args)...)
		var out, wrong bytes.Buffer
		status := cli.Run(context.Background(), args, &cli.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &wrong, Now: time.Now})
		if status != 2 || !strings.Contains(wrong.String(), c.want) {
			t.Errorf("%q: status %d, %q; want 2 and %q", c.args, status, wrong.String(), c.want)
		}
	}
}

// TestPopulationReportFlags: every flag of the report asks for it, as the help says.
func TestPopulationReportFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	populationFile(t, "persons.csv", 6)
	for _, flag := range []string{"--weight w", "--income revdisp", "--equivalence sqrt", "--poverty-line 9000", "--by w", "--tolerance 0", "--report r.csv"} {
		if printed := follow(t, strings.Fields("population --quiet --ignore-unknown --input persons.csv --variables revdisp --period 2022 "+flag)); !strings.Contains(printed, "povertyRate") {
			t.Errorf("%s: %s", flag, printed)
		}
	}
}

// TestPopulationOfASetParameter: --set is the reform of --compare.
func TestPopulationOfASetParameter(t *testing.T) {
	t.Chdir(t.TempDir())
	rows := "individu_id,menage_id,date_naissance,salaire_imposable\na,1,1985-03-02,24000\nb,2,1990-03-02,48000\n"
	if err := os.WriteFile("persons.csv", []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	follow(t, strings.Fields("population --input persons.csv --variables irpp --period 2022 --set impot_revenu.bareme.brackets[1].rate=0.2 --compare --output out.csv"))
	text, err := os.ReadFile("out.csv")
	const want = "foyer_fiscal_id,irpp,irpp_reform,irpp_difference\na,-896.2449,-2164.6,-1268.3552\nb,-6553.71,-8056.8,-1503.0898\n"
	if err != nil || string(text) != want {
		t.Errorf("%s (%v), want\n%s", text, err, want)
	}
}
