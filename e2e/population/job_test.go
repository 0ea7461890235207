package population_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"edict/cli"
	"edict/countries"
	"edict/e2e"
)

// form is the body of a population, and its content type.
func form(t *testing.T, parts ...[3]string) (body, contentType string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, p := range parts {
		var part io.Writer
		var err error
		if p[1] == "" {
			part, err = w.CreateFormField(p[0])
		} else {
			part, err = w.CreateFormFile(p[0], p[1])
		}
		if err == nil {
			_, err = io.WriteString(part, p[2])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String(), w.FormDataContentType()
}

// TestPopulationOverHTTP sends a population, follows it, and gets the report and the rows that "edict population" writes.
func TestPopulationOverHTTP(t *testing.T) {
	server := e2e.Start(t, e2e.Options{Program: e2e.Binary(t)})
	tokens := e2e.Tokens(server.Data)
	admin, ada := tokens(t, "admin"), tokens(t, "ada")
	all := server.URL + "/api/2/populations"
	body, contentType := form(t, [3]string{"options", "", e2e.FourOptions}, [3]string{"file", "persons.csv", e2e.FourPersons})

	for who, test := range map[string]struct {
		token  string
		status int
	}{"nobody": {"", 401}, "a user": {ada, 403}} {
		if status, _, answer := e2e.Exchange(t, "POST", all, test.token, contentType, body); status != test.status {
			t.Errorf("%s: %d %s", who, status, answer)
		}
	}
	status, header, answer := e2e.Exchange(t, "POST", all, admin, contentType, body)
	here := server.URL + header.Get("Location")
	if status != 202 || !strings.HasPrefix(here, all+"/") || !strings.Contains(answer, `"state":"`) {
		t.Fatalf("%d %s %s", status, here, answer)
	}
	for _, path := range []string{"", "/events", "/report", "/rows"} {
		if status, _, answer := e2e.Exchange(t, "GET", here+path, ada, "", ""); status != 403 {
			t.Errorf("a user at %q: %d %s", path, status, answer)
		}
	}
	_, _, events := e2e.Exchange(t, "GET", here+"/events", admin, "", "") // ends with the population
	frames := strings.Split(strings.TrimSpace(events), "\n\n")
	if last := frames[len(frames)-1]; !strings.HasPrefix(last, "event: population\ndata: {") || !strings.Contains(last, `"state":"done","progress":1,"persons":4`) {
		t.Fatalf("events:\n%s", events)
	}
	if _, _, list := e2e.Exchange(t, "GET", all, admin, "", ""); !strings.Contains(list, `"state":"done"`) {
		t.Errorf("list: %s", list)
	}

	dir := t.TempDir()
	input, output, report := filepath.Join(dir, "persons.csv"), filepath.Join(dir, "out.csv"), filepath.Join(dir, "report")
	if err := os.WriteFile(input, []byte(e2e.FourPersons), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, ext := range []string{".json", ".csv"} {
		status, table, stderr := e2e.Command(t, "population", "--input", input, "--output", output, "--variables", "irpp,revdisp", "--period", "2022", "--reform", "allocation_unique",
			"--compare", "--weight", "weight", "--report", report+ext, "--data", filepath.Join(dir, "data"))
		if status != 0 {
			t.Fatal(stderr)
		}
		if _, _, got := e2e.Exchange(t, "GET", here+"/report?format="+ext[1:], admin, "", ""); got != e2e.ReadFile(t, report+ext) {
			t.Errorf("report %s:\n%s\nwant\n%s", ext, got, e2e.ReadFile(t, report+ext))
		}
		if _, _, got := e2e.Exchange(t, "GET", here+"/report?format=table", admin, "", ""); !strings.HasSuffix(table, got) || len(got) < 100 {
			t.Errorf("table:\n%s\nwant\n%s", got, table)
		}
	}
	for _, entity := range []string{"menage", "foyer_fiscal"} {
		want := e2e.ReadFile(t, filepath.Join(dir, "out."+entity+".csv"))
		if _, _, got := e2e.Exchange(t, "GET", here+"/rows?entity="+entity, admin, "", ""); got != want {
			t.Errorf("rows of %s:\n%s\nwant\n%s", entity, got, want)
		}
	}
	for path, says := range map[string]string{
		"/rows": "expected one of foyer_fiscal, menage", "/rows?entity=menages": "did you mean", "/report?format=xml": "json, csv or table",
	} {
		if status, _, answer := e2e.Exchange(t, "GET", here+path, admin, "", ""); status != 400 || !strings.Contains(answer, says) {
			t.Errorf("%s: %d %s", path, status, answer)
		}
	}
	if status, _, answer := e2e.Exchange(t, "DELETE", here, admin, "", ""); status != 204 {
		t.Errorf("removing: %d %s", status, answer)
	}
	if status, _, answer := e2e.Exchange(t, "GET", here, admin, "", ""); status != 404 || !strings.Contains(answer, "no such population") {
		t.Errorf("removed: %d %s", status, answer)
	}
}

// TestPopulationRefused: what is wrong with a population is said at once where that is possible, else by its record; nothing of it is kept on disk.
func TestPopulationRefused(t *testing.T) {
	server := e2e.Start(t, e2e.Options{Program: e2e.Binary(t), Configure: func(c *cli.Config) {
		c.Simulation.Populations, c.Simulation.PopulationBody, c.Simulation.PopulationRows, c.Simulation.PopulationMax = "open", 64<<10, 3, 100
	}})
	all := server.URL + "/api/2/populations"
	ok := [3]string{"options", "", `{"variables": ["irpp"], "period": "2022"}`}
	file := [3]string{"file", "persons.csv", e2e.FourPersons}
	options := func(text string) [][3]string { return [][3]string{{"options", "", text}, file} }
	for name, test := range map[string]struct {
		parts  [][3]string
		status int
		says   string
	}{
		"no file":                {[][3]string{ok}, 400, "needs a part file"},
		"sample and file":        {options(`{"sample": true}`), 400, "leave one of them out"},
		"no options":             {[][3]string{file}, 400, "a part options"},
		"another part":           {[][3]string{ok, file, {"reform", "", "x"}}, 400, "got \\\"reform\\\""},
		"two files":              {[][3]string{ok, file, file}, 400, "one part file"},
		"of another kind":        {[][3]string{ok, {"file", "persons.xlsx", "PK"}}, 400, ".csv, .parquet, .h5 or .hdf5"},
		"too large":              {[][3]string{ok, {"file", "persons.csv", strings.Repeat("x", 65<<10)}}, 413, "larger than"},
		"no JSON":                {options(`{"variables": [`), 400, "options: Invalid JSON"},
		"no object":              {options(`[]`), 400, "expected an object"},
		"nothing asked for":      {options(`{}`), 400, "At least one variable is required"},
		"misspelt option":        {options(`{"variables": ["irpp"], "period": "2022", "wieght": "weight"}`), 400, `did you mean \"weight\"`},
		"misspelt variable":      {options(`{"variables": ["irp"], "period": "2022"}`), 400, `did you mean \"irpp\"`},
		"no period":              {options(`{"variables": ["irpp"], "period": "2022-13"}`), 400, `"period"`},
		"negative":               {options(`{"variables": ["irpp"], "period": "2022", "poverty-line": -1}`), 400, "must not be negative"},
		"nothing listed":         {options(`{"variables": [], "period": "2022"}`), 400, `"errors":[{"variables":"At least one variable is required"}]`},
		"listed twice":           {options(`{"variables": ["irpp", "", "irpp", "nop"], "period": "2022"}`), 400, `{"variables":{"1":"Missing value","2":"\"irpp\" is in the list twice, first at 0: leave one of them out","3":"Variable`},
		"a lasting variable":     {options(`{"variables": ["irpp", "age"], "period": "2022"}`), 400, `"variables":{"1":"age is defined by the month, and is no amount that could be summed over 2022: ask for age:2022-01"}`},
		"a variable of a reform": {options(`{"variables": ["irpp", "nope"], "period": "2022", "reform": ["allocation_unique"]}`), 400, `"variables":{"1":"Variable`},
		"for ever":               {options(`{"variables": ["irpp"], "period": "eternity"}`), 400, `"period":"a population is computed for a period with a beginning and an end`},
		"beyond the calendar":    {options(`{"variables": ["irpp"], "period": "year:2022:100000"}`), 400, `"period":"2022-01-01 cannot be moved that far`},
		"no poverty":             {options(`{"variables": ["irpp"], "period": "2022", "poverty-line": 0}`), 400, `"poverty-line":"must be more than 0: leave it out for 60 % of the median"`},
		"out of range":           {options(`{"variables": ["irpp"], "period": "2022", "poverty-line": 1e999, "tolerance": 1e999}`), 400, `"poverty-line":"the number is too large","tolerance":"the number is too large"`},
		"nothing to divide by":   {options(`{"variables": ["irpp"], "period": "2022", "equivalence": "", "weight": 1}`), 400, `"weight":"expected a string, got a number","equivalence":"Missing value: leave the option out`},
		"income of no amount":    {options(`{"variables": ["irpp"], "period": "2022", "income": "date_naissance"}`), 400, `"income":"date_naissance is no amount"`},
		"misspelt income":        {options(`{"variables": ["irpp"], "period": "2022", "income": "revdips"}`), 400, `did you mean \"revdisp\"?`},
		"columns twice":          {options(`{"variables": ["irpp"], "period": "2022", "keep": ["w", "w"], "by": ["r", "s", "r"]}`), 400, `"keep":{"1":`},
		"columns twice, by":      {options(`{"variables": ["irpp"], "period": "2022", "by": ["r", "s", "r"]}`), 400, `"by":{"2":"`},
		"nothing to compare":     {options(`{"variables": ["irpp"], "period": "2022", "compare": true}`), 400, "nothing to compare with"},
		"no such reform":         {options(`{"variables": ["irpp"], "period": "2022", "reform": ["allocation_uniqe"]}`), 400, "allocation_unique"},
		"no such parameter":      {options(`{"variables": ["irpp"], "period": "2022", "set": ["nothing.there=1"]}`), 400, `"set":{"0"`},
		"no set":                 {options(`{"variables": ["irpp"], "period": "2022", "set": ["nothing"]}`), 400, `"set":{"0"`},
	} {
		t.Run(name, func(t *testing.T) {
			body, contentType := form(t, test.parts...)
			if status, _, answer := e2e.Exchange(t, "POST", all, "", contentType, body); status != test.status || !strings.Contains(answer, test.says) {
				t.Errorf("%d %s\nwant %d, %s", status, answer, test.status, test.says)
			}
		})
	}
	if status, _, answer := e2e.Exchange(t, "POST", all, "", "application/json", "{}"); status != 400 {
		t.Errorf("JSON: %d %s", status, answer)
	}
	for name, test := range map[string]struct{ file, options, says string }{
		"too many persons":    {e2e.FourPersons, `{"variables": ["irpp"], "period": "2022", "ignore-unknown": true}`, "more than 3 persons"},
		"an unknown column":   {"individu_id,size\n1,2\n", `{"variables": ["irpp"], "period": "2022"}`, `persons.csv: column "size": there is no variable of that name in this legislation. Drop the column, or leave unknown columns out with the option "ignore-unknown"`},
		"no such weight":      {"individu_id\n1\n", `{"variables": ["irpp"], "period": "2022", "weight": "w"}`, `the option "weight": there is no column "w"`},
		"an empty file":       {"", `{"variables": ["irpp"], "period": "2022"}`, "persons.csv"},
		"nothing to keep":     {"individu_id\n1\n", `{"variables": ["irpp"], "period": "2022", "keep": ["region"]}`, `persons.csv: the option "keep": there is no column "region"`},
		"a very long name":    {"individu_id," + strings.Repeat("é", 30_000) + "\n1,2\n", `{"variables": ["irpp"], "period": "2022"}`, `persons.csv: column "ééé`},
		"a negative weight":   {"individu_id,w\n1,-1\n", `{"variables": ["irpp"], "period": "2022", "weight": "w"}`, "negative"},
		"a weight that's not": {"individu_id,w\n1,heavy\n", `{"variables": ["irpp"], "period": "2022", "weight": "w"}`, "heavy"},
	} {
		t.Run(name, func(t *testing.T) {
			body, contentType := form(t, [3]string{"options", "", test.options}, [3]string{"file", "persons.csv", test.file})
			status, header, answer := e2e.Exchange(t, "POST", all, "", contentType, body)
			if status != 202 {
				t.Fatalf("%d %s", status, answer)
			}
			here := server.URL + header.Get("Location")
			e2e.Exchange(t, "GET", here+"/events", "", "", "")
			_, _, text := e2e.Exchange(t, "GET", here, "", "", "")
			var record struct{ State, Error string }
			if err := json.Unmarshal([]byte(text), &record); err != nil || record.State != "failed" || !strings.Contains(record.Error, test.says) || strings.Contains(record.Error, server.Data) ||
				strings.Contains(record.Error, "input.csv") || strings.Contains(strings.ReplaceAll(record.Error, "--simulation-", ""), "--") || len(record.Error) > 2<<10 {
				t.Errorf("%s\nwant a failure with %s", text, test.says)
			}
			if status, _, answer := e2e.Exchange(t, "GET", here+"/report", "", "", ""); status != 409 {
				t.Errorf("a report: %d %s", status, answer)
			}
		})
	}
	if status, _, answer := e2e.Exchange(t, "GET", all, "", "", ""); status != 403 {
		t.Errorf("everybody's populations: %d %s", status, answer)
	}
	if left, err := filepath.Glob(filepath.Join(server.Data, "populations", "*", "*", "*")); err != nil || len(left) > 0 {
		t.Errorf("left on disk: %v, %v", left, err)
	}
}

// TestPopulationSample: the synthetic sample need not be sent. Its report is that of the command line, and another legislation has none.
func TestPopulationSample(t *testing.T) {
	server := e2e.Start(t, e2e.Options{Program: e2e.Binary(t), Configure: func(c *cli.Config) { c.Simulation.Populations = "open" }})
	e2e.AwaitReady(t, server.URL)
	body, contentType := form(t, [3]string{"options", "", `{"sample": true, "reform": ["allocation_unique"], "compare": true, "by": ["type_menage"], "output": "none"}`})
	status, header, answer := e2e.Exchange(t, "POST", server.URL+"/api/2/populations", "", contentType, body)
	if status != 202 {
		t.Fatalf("%d %s", status, answer)
	}
	here := server.URL + header.Get("Location")
	e2e.Exchange(t, "GET", here+"/events", "", "", "")
	report := filepath.Join(t.TempDir(), "report.json")
	if status, _, stderr := e2e.Command(t, "population", "--sample", "--reform", "allocation_unique", "--compare", "--by", "type_menage", "--report", report, "--quiet"); status != 0 {
		t.Fatal(stderr)
	}
	if status, _, got := e2e.Exchange(t, "GET", here+"/report", "", "", ""); got != e2e.ReadFile(t, report) || !strings.Contains(got, countries.SampleLabel) {
		t.Errorf("%d %.500s\nwant\n%.500s", status, got, e2e.ReadFile(t, report))
	}
	law := filepath.Join(t.TempDir(), "law")
	if err := os.CopyFS(law, countries.France()); err != nil {
		t.Fatal(err)
	}
	other := e2e.Start(t, e2e.Options{Program: e2e.Binary(t), Configure: func(c *cli.Config) {
		c.Simulation.Populations, c.Simulation.Country = "open", filepath.Join(law, countries.FrancePackage)
	}})
	e2e.AwaitReady(t, other.URL)
	if status, _, answer := e2e.Exchange(t, "POST", other.URL+"/api/2/populations", "", contentType, body); status != 400 || !strings.Contains(answer, "send a file") {
		t.Errorf("of another legislation: %d %s", status, answer)
	}
}

// TestPopulationCancelled removes a population while it is computed, and finds the queue full until then.
func TestPopulationCancelled(t *testing.T) {
	server := e2e.Start(t, e2e.Options{Program: e2e.Binary(t), Configure: func(c *cli.Config) { c.Simulation.Populations, c.Simulation.PopulationMax = "open", 1 }})
	all := server.URL + "/api/2/populations"
	body, contentType := form(t, [3]string{"options", "", `{"variables": ["revdisp"], "period": "2022", "output": "parquet"}`}, [3]string{"file", "persons.csv", manyPersons(200_000)})
	status, header, answer := e2e.Exchange(t, "POST", all, "", contentType, body)
	if status != 202 {
		t.Fatalf("%d %s", status, answer)
	}
	here := server.URL + header.Get("Location")
	stream := e2e.OpenStream(t, here+"/events", "")
	for !strings.Contains(stream.Until("data: "), `"state":"running"`) {
	}
	if status, _, answer := e2e.Exchange(t, "POST", all, "", contentType, body); status != 503 || !strings.Contains(answer, "remove one") {
		t.Errorf("a second: %d %s", status, answer)
	}
	if status, _, answer := e2e.Exchange(t, "DELETE", here, "", "", ""); status != 204 {
		t.Errorf("removing: %d %s", status, answer)
	}
	rest, err := io.ReadAll(stream.In)
	if err != nil || !strings.Contains(string(rest), `"state":"cancelled"`) {
		t.Errorf("events end with %v, %s", err, rest)
	}
	small, contentType := form(t, [3]string{"options", "", `{"variables": ["revdisp"], "period": "2022", "output": "none"}`}, [3]string{"file", "p.csv", fmt.Sprintf("individu_id\n%d\n", 1)})
	status, header, answer = e2e.Exchange(t, "POST", all, "", contentType, small)
	if status != 202 {
		t.Fatalf("there is room again: %d %s", status, answer)
	}
	next := header.Get("Location")
	if _, _, events := e2e.Exchange(t, "GET", server.URL+next+"/events", "", "", ""); !strings.Contains(events, `"state":"done"`) { // the one before has ended
		t.Errorf("the next one:\n%s", events)
	}
	jobs, err := filepath.Glob(filepath.Join(server.Data, "populations", "*", "*"))
	if err != nil || len(jobs) != 1 || filepath.Base(jobs[0]) != filepath.Base(next) {
		t.Errorf("there are the files of %v (%v), want those of %s alone", jobs, err, next)
	}
}

// TestPopulationProcess: a population whose process cannot do its work has failed, and the server goes on.
func TestPopulationProcess(t *testing.T) {
	law := filepath.Join(t.TempDir(), "law")
	if err := os.CopyFS(law, countries.France()); err != nil {
		t.Fatal(err)
	}
	body, contentType := form(t, [3]string{"options", "", e2e.FourOptions}, [3]string{"file", "persons.csv", e2e.FourPersons})
	for name, test := range map[string]struct {
		program string
		change  bool // a file of the legislation, after the start
		says    string
	}{
		"no program":            {filepath.Join(t.TempDir(), "nothing"), false, "cannot be started"},
		"one that says nothing": {toolOf(t, "true"), false, "ended early"},
		"one that fails":        {toolOf(t, "false"), false, "exit status 1"},
		"another law":           {e2e.Binary(t), true, "have changed since the server was started"},
	} {
		t.Run(name, func(t *testing.T) {
			server := e2e.Start(t, e2e.Options{Program: test.program, Configure: func(c *cli.Config) {
				c.Simulation.Populations, c.Simulation.Country = "open", filepath.Join(law, countries.FrancePackage)
			}})
			e2e.AwaitReady(t, server.URL)
			if test.change {
				f, err := os.OpenFile(filepath.Join(law, countries.FrancePackage, "__init__.py"), os.O_APPEND|os.O_WRONLY, 0)
				if err == nil {
					_, err = f.WriteString("\n# changed\n")
					err = errors.Join(err, f.Close())
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			status, header, answer := e2e.Exchange(t, "POST", server.URL+"/api/2/populations", "", contentType, body)
			if status != 202 {
				t.Fatalf("%d %s", status, answer)
			}
			here := server.URL + header.Get("Location")
			if _, _, events := e2e.Exchange(t, "GET", here+"/events", "", "", ""); !strings.Contains(events, test.says) || !strings.Contains(events, `"state":"failed"`) {
				t.Errorf("%s\nwant a failure with %s", events, test.says)
			}
			if status, _, answer := e2e.Exchange(t, "GET", server.URL+"/healthz", "", "", ""); status != 200 {
				t.Errorf("the server: %d %s", status, answer)
			}
		})
	}
}

// toolOf is the path of a program that every Unix has.
func toolOf(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("a process that ends early is tried with %s, which this system does not have", name)
	}
	return path
}
