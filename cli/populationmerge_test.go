package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"edict/cli"
	"edict/countries"
)

// withoutTestSettings unsets the variables of the tests themselves, about which the program would warn.
func withoutTestSettings(t *testing.T) {
	t.Helper()
	for _, own := range []string{"EDICT_AXE", "EDICT_BROWSER", "EDICT_POSTGRES", "EDICT_TESTS"} {
		if value, ok := os.LookupEnv(own); ok {
			t.Setenv(own, value) // has it back in the end
			if err := os.Unsetenv(own); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// invoke runs a command and returns its status and what it printed.
func invoke(t *testing.T, line string) (status int, stdout, stderr string) {
	t.Helper()
	withoutTestSettings(t)
	var out, wrong bytes.Buffer
	status = cli.Run(context.Background(), strings.Fields(line), &cli.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &wrong, Now: time.Now})
	return status, out.String(), wrong.String()
}

// populationFile writes persons who live alone or in twos.
func populationFile(t *testing.T, name string, persons int) {
	t.Helper()
	var b strings.Builder
	b.WriteString("individu_id,menage_id,menage_role,famille_id,foyer_fiscal_id,date_naissance,salaire_imposable,w\n")
	for i := range persons {
		role := []string{"personne_de_reference", "conjoint"}[i%2]
		fmt.Fprintf(&b, "%d,%d,%s,%d,%d,1985-03-02,%d,2\n", i, i/2, role, i/2, i/2, 500*i)
	}
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestPopulationParts computes the embedded legislation in parts, with a report.
func TestPopulationParts(t *testing.T) {
	t.Chdir(t.TempDir())
	populationFile(t, "persons.csv", 60)
	const ask = "population --quiet --input persons.csv --variables revdisp,irpp --period 2022 --weight w --set impot_revenu.bareme.brackets[1].rate=0.2 --compare "
	if err := os.Mkdir("parts", 0o700); err != nil {
		t.Fatal(err)
	}
	printed := follow(t, strings.Fields(ask+"--output one.csv --report one.json"))
	for i := range 7 {
		follow(t, strings.Fields(fmt.Sprintf("%s--output parts/%d.csv --part %d/7", ask, i, i+1)))
	}
	merged := follow(t, strings.Fields("population merge --quiet --output all.csv --report all.json parts"))
	if strings.ReplaceAll(merged, "all.", "one.") != printed {
		t.Errorf("printed\n%s\nwant\n%s", merged, printed)
	}
	for _, name := range []string{".menage.csv", ".foyer_fiscal.csv", ".json"} {
		one, err := os.ReadFile("one" + name)
		all, wrong := os.ReadFile("all" + name)
		if err != nil || wrong != nil || !bytes.Equal(one, all) {
			t.Errorf("%s: %v, %v\n%s\nwant\n%s", name, err, wrong, all, one)
		}
	}
}

// TestPopulationMergeQuiet: one that is quiet prints results alone, wherever it is told to; other flags are not lost before the word.
func TestPopulationMergeQuiet(t *testing.T) {
	t.Chdir(t.TempDir())
	populationFile(t, "persons.csv", 6)
	follow(t, strings.Fields("population --quiet --ignore-unknown --input persons.csv --variables irpp --period 2022 --output p.csv --part 1/1"))
	for line, want := range map[string]string{
		"population merge -q --output all.csv p.csv.part.json": "",
		"population -q merge --output all.csv p.csv.part.json": "",
		"population merge --output all.csv p.csv.part.json":    "6 persons in ",
	} {
		if status, stdout, stderr := invoke(t, line); status != 0 || stdout != "all.csv\n" || !strings.HasPrefix(stderr, want) || (want == "") != (stderr == "") {
			t.Errorf("%s: status %d, %s%s", line, status, stdout, stderr)
		}
	}
	for line, want := range map[string]string{
		"population --output all.csv merge p.csv.part.json": "edict: --output: flags of merge have no effect before the word merge: write them after it",
		"population merge --report= p.csv.part.json":        "edict: --report: it has no value: give FILE, or leave the flag out",
		"population --period 2022 sample":                   "edict: --period: flags of sample have no effect before the word sample",
	} {
		if status, stdout, stderr := invoke(t, line); status != 2 || stdout != "" || !strings.HasPrefix(stderr, want) {
			t.Errorf("%s: status %d, %s%s", line, status, stdout, stderr)
		}
	}
}

// TestPopulationMatrix computes runs of a list and of a product.
func TestPopulationMatrix(t *testing.T) {
	t.Chdir(t.TempDir())
	populationFile(t, "persons.csv", 6)
	for name, c := range map[string]struct{ matrix, args, want string }{
		"list":    {"runs:\n- {name: now, period: 2022}\n- {name: later, period: 2023, set: 'impot_revenu.bareme.brackets[1].rate=0.2'}\n", "--output out/{name}.csv", "later.csv now.csv"},
		"one":     {"runs:\n- {name: now, period: 2022}\n- {name: later, period: 2023}\n", "--output out/{index}-{name}.csv --index 1", "1-later.csv"},
		"product": {"matrix:\n  period: [2022, 2023]\n  reforms: [[], allocation_unique]\n", "--output out/{name}.csv", "2022_allocation-unique.csv 2022_none.csv 2023_allocation-unique.csv 2023_none.csv"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.RemoveAll("out"); err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll("out", 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile("runs.yaml", []byte(c.matrix), 0o600); err != nil {
				t.Fatal(err)
			}
			follow(t, strings.Fields("population --quiet --input persons.csv --variables revdisp --ignore-unknown --matrix runs.yaml "+c.args))
			files, err := filepath.Glob("out/*")
			for i := range files {
				files[i] = filepath.Base(files[i])
			}
			if got := strings.Join(files, " "); got != strings.ReplaceAll(c.want, "allocation-unique", "allocation_unique") {
				t.Errorf("files %s (%v), want %s", got, err, c.want)
			}
		})
	}
}

// TestPopulationMatrixBefore: what is wrong with any run is told with its name, before the first one is computed.
func TestPopulationMatrixBefore(t *testing.T) {
	t.Chdir(t.TempDir())
	populationFile(t, "persons.csv", 6)
	const now = "runs:\n- {name: now, period: 2022}\n"
	for name, c := range map[string]struct {
		matrix, args, want string
		status             int
	}{
		"one output":        {now + "- {name: later}", "--output out.csv", `--output: run "now" (--index 0) and run "later" (--index 1) of runs.yaml would both write out.csv: put {name} or {index} into the file name`, 2},
		"one report":        {now + "- {name: later}", "--output {name}.csv --report r.json", `--report: run "now" (--index 0) and run "later" (--index 1) of runs.yaml would both write r.json`, 2},
		"report as output":  {now + "- {name: rnow}", "--output ./{name}.csv --report r{name}.csv", `--output: run "now" (--index 0) and run "rnow" (--index 1) of runs.yaml would both write rnow.csv`, 2},
		"no period":         {now + "- {name: later, period: soon}", "--output {name}.csv", `runs.yaml, run "later" (--index 1): --period: `, 2},
		"no such reform":    {now + "- {name: later, reforms: [allocation_unik]}", "--output {name}.csv", `runs.yaml, run "later" (--index 1): `, 1},
		"no such parameter": {now + "- {name: later, set: ['no.such=3']}", "--output {name}.csv", `runs.yaml, run "later" (--index 1): --set no.such=3: `, 2},
		"no value":          {now + "- {name: later, set: 'no.such'}", "--output {name}.csv", `runs.yaml, run "later" (--index 1): --set `, 2},
		"no such variable":  {now + "- {name: later, period: 2022-01}", "--output {name}.csv --variables revdsip", `runs.yaml, run "now" (--index 0): --variables: there is no variable 'revdsip' in this legislation; did you mean 'revdisp'?`, 1},
		"no such time":      {now + "- {name: later, period: 2022-01}", "--output {name}.csv --variables age", `runs.yaml, run "now" (--index 0): --variables: age is defined by the month`, 1},
		"no such format":    {now + "- {name: later.txt}", "--output {name}", `runs.yaml, run "now" (--index 0): now: an output's name ends in .csv or .parquet`, 1},
		"nothing of one":    {now + "- {name: later, reforms: [allocation_unique]}", "--compare", `runs.yaml, run "now" (--index 0): --output: a file is needed`, 2},
		"period twice":      {"runs:\n- {name: now, period: 2022, period: 2023}", "--output {name}.csv", `line 2: "period" is there twice`, 2},
		"both":              {now + "matrix: {period: [2022]}", "--output {name}.csv", "line 3: expected exactly one of the keys runs and matrix", 2},
		"something else":    {now + "period: 2023", "--output {name}.csv", "line 3: expected exactly one of the keys runs and matrix", 2},
		"a long name":       {"runs:\n- {name: " + strings.Repeat("long", 100) + "}", "--output {name}.csv", "has 400 bytes, the maximum is 200", 2},
		"before the first":  {now, "--output {name}.csv --index=-1", "--index: runs.yaml has 1 run, from 0 to 0, and none is -1", 2},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile("runs.yaml", []byte(c.matrix), 0o600); err != nil {
				t.Fatal(err)
			}
			status, stdout, stderr := invoke(t, "population --quiet --input persons.csv --variables revdisp --ignore-unknown --period 2022 --matrix runs.yaml "+c.args)
			if status != c.status || !strings.Contains(stderr, c.want) || stdout != "" {
				t.Errorf("status %d, %s%s\nwant %d and %s", status, stdout, stderr, c.status, c.want)
			}
			if left, _ := filepath.Glob("*"); len(left) != 2 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

// TestPopulationUnknownNames: names of flags that mean nothing are told all at once, each with the nearest; variables even before a part is cut.
func TestPopulationUnknownNames(t *testing.T) {
	t.Chdir(t.TempDir())
	populationFile(t, "persons.csv", 6)
	const all = `edict: --variables: there is no variable 'revdips' in this legislation; did you mean 'revdisp'?
--variables: there is no variable 'qqqq' in this legislation
--variables: irpp is requested twice: name it once
--income: there is no variable 'revdis' in this legislation; did you mean 'revdisp'?
persons.csv: --keep: there is no column "menage_di"; did you mean menage_id?
--keep: column "w" is named twice: once will do
persons.csv: --weight: there is no column "ww"; did you mean w?
persons.csv: --by: there is no column "famile_id"; did you mean famille_id?
persons.csv: --equivalence: "sqr" is none of modified-oecd, sqrt, none, and there is no column of that name; did you mean sqrt?
`
	columns := all[strings.Index(all, "persons.csv: --keep"):]
	const ask = "population --quiet --input persons.csv --period 2022 --output o.csv --keep menage_di,w,w --weight ww --by famile_id --equivalence sqr "
	for _, c := range []struct{ args, want string }{
		{"--variables revdips,qqqq,irpp,irpp --income revdis", all},
		{"--variables revdips,qqqq,irpp,irpp --income revdis --part 2/3", all},
		{"--variables irpp", "edict: " + columns},
	} {
		if status, stdout, stderr := invoke(t, ask+c.args); status != 1 || stderr != c.want || stdout != "" {
			t.Errorf("%s: status %d, %s%s\nwant\n%s", c.args, status, stdout, stderr, c.want)
		}
	}
	for _, c := range []struct{ args, want string }{
		{"--variables revdips --input nowhere.csv", "edict: nowhere.csv: no such file"},
		{"--variables irpp --keep foyer_fiscal_id", "edict: the output for foyers_fiscaux would have two columns \"foyer_fiscal_id\": leave it out of --keep or --variables"},
		{"--variables irpp,irpp_reform", "edict: --variables: there is no variable 'irpp_reform'"},
	} {
		if status, _, stderr := invoke(t, "population --quiet --input persons.csv --period 2022 --output o.csv --weight w "+c.args); status != 1 || !strings.HasPrefix(stderr, c.want) {
			t.Errorf("%s: status %d, %s\nwant %s", c.args, status, stderr, c.want)
		}
	}
}

// TestPopulationPeriods: a period that a variable cannot be told or asked for is refused with what to write instead, in words that say nothing
// of formulas.
func TestPopulationPeriods(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ column, args, want string }{
		{"loyer", "--period 2022 --variables revdisp:month:2022-01:3", "--variables: revdisp is defined by the year and shared out over one month at a time, not over month:2022-01:3: ask for revdisp:2022-01, and so on, or for revdisp:2022"},
		{"loyer:2022-01", "--period month:2022-01:3 --variables irpp", "--variables: irpp is defined by the year and shared out over one month at a time, not over month:2022-01:3: ask for irpp:2022-01"},
		{"loyer", "--period 2022 --variables loyer:2022-W05", "--variables: loyer is defined by the month, and 2022-W05 is not made of whole months: ask for loyer:2022-01"},
		{"loyer", "--period 2022 --variables age", "--variables: age is defined by the month, and is no amount that could be summed over 2022: ask for age:2022-01"},
		{"loyer", "--period 2022 --variables irpp:eternity", "--variables: irpp is defined by the year, and eternity has none: ask for irpp:2022"},
		{"loyer:eternity", "--period 2022 --variables irpp", `in.csv: column "loyer:eternity": loyer is defined by the month, and eternity has none: name the column loyer:2022-01, and so on`},
		{"loyer:2022-01-05", "--period 2022 --variables irpp", `in.csv: column "loyer:2022-01-05": loyer is defined by the month, and 2022-01-05 is not made of whole months: name the column loyer:2022-01`},
		{"nbptr:2022-01", "--period 2022 --variables irpp", `in.csv: column "nbptr:2022-01": nbptr is defined by the year, and 2022-01 is not made of whole years: name the column nbptr:2022`},
		{"loyer", "--period 2022-W05 --variables nbptr", `in.csv: column "loyer": loyer is defined by the month, and 2022-W05 is not made of whole months: name the column loyer:2022-01`},
		{"date_naissance", "--period eternity --variables date_naissance --income irpp:2022", "--equivalence: eternity has no first day, on which modified-oecd counts ages: choose a year as the period"},
	} {
		if err := os.WriteFile("in.csv", []byte("individu_id,"+c.column+"\na,\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		status, _, stderr := invoke(t, "population --quiet --input in.csv --output out.csv "+c.args)
		if status != 1 || !strings.HasPrefix(stderr, "edict: "+c.want) {
			t.Errorf("%s, %s: status %d, %s\nwant %s", c.column, c.args, status, stderr, c.want)
		}
	}
}

// TestPopulationLongNames: messages show the beginning of names that are long.
func TestPopulationLongNames(t *testing.T) {
	t.Chdir(t.TempDir())
	long := strings.Repeat("é", 5000)
	for what, c := range map[string]struct{ text, args string }{
		"column":       {"individu_id," + long + "\na,1\n", ""},
		"period":       {"individu_id,loyer:" + long + "\na,1\n", ""},
		"twice":        {long + "," + long + "\na,1\n", ""},
		"group":        {"menage_id\n" + long + "\n" + long + "\n", ""},
		"contradicted": {"menage_id,menage_role,loyer\n" + long + ",,1\n" + long + ",conjoint,2\n", ""},
		"weights":      {"menage_id,menage_role,w\n" + long + ",,1\n" + long + ",conjoint,2\n", "--weight w"},
		"weight":       {"individu_id," + long + "\na,x\n", "--weight " + long},
		"variable":     {"individu_id\na\n", "--variables " + long + ",irpp:" + long},
		"flags":        {"individu_id\na\n", "--weight " + long + " --by " + long + " --keep " + long + " --equivalence " + long + " --income " + long},
		"--period":     {"individu_id\na\n", "--period " + long},
		"--part":       {"individu_id\na\n", "--part " + long},
		"value":        {"individu_id,statut_marital\na," + long + "\n", ""},
		"role":         {"menage_id,menage_role\na," + long + "\n", ""},
		"left out":     {"individu_id," + long + "\na,x\n", "--ignore-unknown --input nowhere --input in.csv --output no/where.csv"},
	} {
		if err := os.WriteFile("in.csv", []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		status, _, stderr := invoke(t, "population --quiet --input in.csv --variables revdisp --period 2022 --output out.csv "+c.args)
		if before, _, usage := strings.Cut(stderr, "\n\n"); usage {
			stderr = before
		}
		if status == 0 || len(stderr) > 1200 || !strings.Contains(stderr, "é") && !strings.Contains(stderr, `\xc3`) {
			t.Errorf("%s: status %d, %d bytes: %.600s", what, status, len(stderr), stderr)
		}
	}
}

// TestPopulationMatrixAfter: where a run fails, those that finished before it are named.
func TestPopulationMatrixAfter(t *testing.T) {
	t.Chdir(t.TempDir())
	populationFile(t, "persons.csv", 6)
	if err := os.WriteFile("runs.yaml", []byte("runs: [{name: now}, {name: later}]"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("later.csv", 0o700); err != nil { // a file cannot have its name
		t.Fatal(err)
	}
	status, stdout, stderr := invoke(t, "population --quiet --input persons.csv --variables revdisp --weight w --period 2022 --matrix runs.yaml --output {name}.csv")
	const want = "\nfinished before it: 1 run of 2, whose files stay: \"now\"\n"
	if status != 1 || !strings.HasPrefix(stderr, `edict: runs.yaml, run "later" (--index 1): `) || !strings.HasSuffix(stderr, want) || !strings.HasPrefix(stdout, "now.csv\nRun now\nPeriod 2022\n") {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
}

// manyLines are persons whose last columns are all different.
func manyLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d,%d,1985-03-02,1,%d\n", i, i, i)
	}
	return b.String()
}

// TestPopulationBadInput: every kind of bad input ends with a clear error, and nothing is written.
func TestPopulationBadInput(t *testing.T) {
	t.Chdir(t.TempDir())
	const header = "individu_id,menage_id,date_naissance,salaire_imposable,w\n"
	for name, c := range map[string]struct {
		rows, args, want string
		status           int
	}{
		"negative weight":  {header + "a,1,1985-03-02,1,-3\n", "--weight w", `line 2, column "w": "-3" is no weight`, 1},
		"missing weight":   {header + "a,1,1985-03-02,1,\n", "--weight w", `line 2, column "w": nothing is no weight`, 1},
		"text as weight":   {header + "a,1,1985-03-02,1,much\n", "--weight w", `"much" is no weight: a number is expected`, 1},
		"underscored":      {header + "a,1,1985-03-02,1,1_0\n", "--weight w", `in.csv: line 2, column "w": "1_0" is no weight: a number is expected`, 1},
		"a value, too":     {header + "a,1,1985-03-02,1_0,1\n", "--weight w", `in.csv: line 2, column "salaire_imposable": "1_0" is no value of salaire_imposable`, 1},
		"huge weight":      {header + "a,1,1985-03-02,1,1e300\n", "--weight w", `line 2, column "w": "1e300" is no weight`, 1},
		"weights of 0":     {header + "a,1,1985-03-02,1,0\nb,2,1985-03-02,1,0\n", "--weight w", `in.csv: all weights in column "w" are 0`, 1},
		"many values":      {header + manyLines(1001), "--by w", `in.csv: line 1002: column "w" has more than 1000 values to report by, and there can be no more: put them into classes`, 1},
		"nobody":           {header, "--weight w", "in.csv: there are no persons in the file, and a report needs at least one", 1},
		"different":        {"menage_id,menage_role,w\n1,,1\n1,conjoint,1.0\n1,enfant,2\n", "--weight w", `in.csv: line 4, column "w": the weights of menage "1" differ: 1 and 2. Statistics`, 1},
		"no such income":   {header + "a,1,1985-03-02,1,1\n", "--weight w --income revdips", "--income: ", 1},
		"empty file":       {"", "--weight w", "the file is empty: its first line names the columns", 1},
		"no such part":     {header, "--part 5/4", `--part: "5/4" is no part`, 2},
		"part and report":  {header, "--part 1/4 --report r.json", "pass --report to edict population merge", 2},
		"answers alone":    {header, "--answers a.json", "--answers: they are for parts", 2},
		"no such answers":  {header, "--ignore-unknown --part 1/4 --answers nowhere.json", "nowhere.json: there is no such file or directory", 1},
		"index alone":      {header, "--index 3", "--index: it counts the runs of --matrix", 2},
		"no such run":      {header, "--matrix runs.yaml --index 3", "--index: runs.yaml has 1 run, from 0 to 0, and none is 3", 2},
		"no matrix":        {header, "--matrix bad.yaml", "expected exactly one of the keys runs and matrix", 2},
		"no such key":      {header, "--matrix key.yaml", `line 1: "perido" is none of name, period, reforms, set`, 2},
		"output is input":  {header + "a,1,1985-03-02,1,1\n", "--weight w --output ./in.csv", "--output: ./in.csv is the same file as --input in.csv", 1},
		"report is output": {header + "a,1,1985-03-02,1,1\n", "--weight w --report out.csv", "--report: out.csv is the same file as --output out.csv", 1},
		"Latin-1":          {header + "Andr\xe9,1,1985-03-02,1,1\n", "--weight w", `in.csv: line 2, column "individu_id": "Andr\xe9" is not UTF-8: save the file as UTF-8; if it is Latin-1, iconv -f latin1 -t utf-8`, 1},
		"matrix and --set": {header, "--matrix runs.yaml --set a=1", "--matrix cannot be combined with --reform and --set", 2},
	} {
		t.Run(name, func(t *testing.T) {
			for file, text := range map[string]string{"in.csv": c.rows, "runs.yaml": "runs: [{name: a, period: 2022}]", "bad.yaml": "a: 1", "key.yaml": "runs: [{name: a, perido: 2022}]"} {
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			status, _, stderr := invoke(t, "population --input in.csv --variables revdisp --period 2022 --output out.csv "+c.args)
			if status != c.status || !strings.Contains(stderr, c.want) {
				t.Errorf("status %d, %q; want %d and %q", status, stderr, c.status, c.want)
			}
			if left, _ := filepath.Glob("*out.csv*"); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
			if text, err := os.ReadFile("in.csv"); string(text) != c.rows {
				t.Errorf("the input has become %q (%v)", text, err)
			}
		})
	}
}

// TestPopulationSample: the sample makes a report of a reform, which says that it is synthetic, whole and in parts.
func TestPopulationSample(t *testing.T) {
	t.Chdir(t.TempDir())
	const ask = "population --quiet --sample --reform allocation_unique --compare --by type_menage --output "
	status, printed, stderr := invoke(t, ask+"one.csv --report one.json")
	if status != 0 || !strings.Contains(stderr, countries.SampleLabel) {
		t.Fatalf("status %d, %s", status, stderr)
	}
	for _, text := range []string{countries.SampleLabel, "households 30 907 500", "type_menage = famille_monoparentale", "povertyRate"} {
		if !strings.Contains(printed, text) {
			t.Errorf("%q is missing in\n%s", text, printed)
		}
	}
	for i := range 2 {
		follow(t, strings.Fields(fmt.Sprintf("%s%d.csv --part %d/2", ask, i, i+1)))
	}
	follow(t, strings.Fields("population merge --quiet --output all.csv --report all.json 0.csv.part.json 1.csv.part.json"))
	for _, name := range []string{".csv", ".json"} {
		one, err := os.ReadFile("one" + name)
		all, wrong := os.ReadFile("all" + name)
		if err != nil || wrong != nil || !bytes.Equal(one, all) {
			t.Errorf("%s of parts is not that of one run: %v, %v", name, err, wrong)
		}
	}
	for _, c := range []struct{ args, want string }{
		{"--input a.csv", "--sample: it stands for --input"}, {"--country nowhere", "--sample: it is for the embedded legislation"},
	} {
		if status, _, stderr := invoke(t, "population --sample "+c.args); status != 2 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: status %d, %s", c.args, status, stderr)
		}
	}
}
