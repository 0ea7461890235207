package yamltest_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"edict/simulation/country"
	"edict/simulation/pyeval"
	"edict/simulation/yamltest"
)

// hostileFiles are those of a package that means no harm; a case replaces some.
var hostileFiles = map[string]string{
	"hostile/__init__.py": `
import os
from openfisca_core.taxbenefitsystems import TaxBenefitSystem
from hostile import entities
class CountryTaxBenefitSystem(TaxBenefitSystem):
    def __init__(self):
        super().__init__([entities.Person])
        self.add_variables_from_file(os.path.join(os.path.dirname(__file__), "variables.py"))
        self.load_parameters(os.path.join(os.path.dirname(__file__), "parameters"))
`,
	"hostile/entities.py": `
from openfisca_core.entities import build_entity
Person = build_entity(key="person", plural="persons", label="", is_person=True)
`,
	"hostile/variables.py":         "",
	"hostile/parameters/rate.yaml": "values: {2000-01-01: {value: 1}}\n",
}

// formula is the file of variables whose one formula has this body.
func formula(body string) map[string]string {
	return map[string]string{"hostile/variables.py": `
import numpy
from openfisca_core.model_api import *
from hostile.entities import Person
class out(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    def formula(person, period, parameters):
        ` + strings.ReplaceAll(strings.TrimSpace(body), "\n", "\n        ") + "\n"}
}

func module(text string) map[string]string { return map[string]string{"hostile/entities.py": text} }

var hostileLimits = pyeval.Limits{Steps: 3_000_000, Bytes: 64 << 20, Time: 10 * time.Second}

// TestHostile loads packages that would hang, crash or read what is not theirs, and computes with them. Each must end in
// an error that says where, long before the deadline, in little memory.
func TestHostile(t *testing.T) {
	bomb := "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for _, c := range "bcdefghi" {
		bomb += string(c) + ": &" + string(c) + " [" + strings.TrimSuffix(strings.Repeat("*"+string(c-1)+", ", 10), ", ") + "]\n"
	}
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"endless loop while loading", module("while True:\n    pass\n"), "hostile/entities.py:"},
		{"endless loop in a formula", formula("while True:\n    pass"), "hostile/variables.py:10: Stopped: stopped after 3000000 steps"},
		{"endless sum", formula("return sum(range(10**12))"), "hostile/variables.py:10"},
		{"endless iterator", formula("return len(list(iter(int, 1)))"), "hostile/variables.py:10"},
		{"deep recursion", formula("def f(x):\n    return f(x)\nreturn f(1)"), "RecursionError"},
		{"deep recursion while loading", module("def f():\n    return f()\nf()\n"), "RecursionError"},
		{"a list of 10 GB", formula("return len([0] * 10**10)"), "hostile/variables.py:10: Stopped"},
		{"a text of 10 GB", formula("return len('x' * 10**10)"), "hostile/variables.py:10: Stopped"},
		{"an array of 80 GB", formula("return numpy.zeros(10**10)"), "hostile/variables.py:10: ValueError: an array of more than"},
		{"an array that repeats", formula("return numpy.repeat(numpy.zeros(1000), 10**7)"), "hostile/variables.py:10: ValueError: an array of more than"},
		{"a large power", formula("return 10 ** 10 ** 10"), "hostile/variables.py:10"},
		{"lists that double", formula("x = [0]\nwhile True:\n    x = x + x"), "hostile/variables.py:12"},
		{"reads a file of the system", formula("return len(open('/etc/hostname').read())"), "FileNotFoundError"},
		{"reads a file above", formula("return len(open('../../../../../../etc/hostname').read())"), "FileNotFoundError"},
		{"writes a file", formula("open('/tmp/hostile', 'w').write('x')\nreturn 1"), "packages only read"},
		{"lists a directory of the system", formula("import os\nreturn len(os.listdir('/etc'))"), "FileNotFoundError"},
		{"starts a process", formula("import subprocess\nreturn len(subprocess.run(['id']).stdout)"), "subprocess.run cannot be used"},
		{"opens a connection", formula("from socket import create_connection\nreturn create_connection(('localhost', 80))"), "socket.create_connection cannot be used"},
		{"evaluates text", formula("return eval('1')"), "hostile/variables.py:10"},
		{"a syntax error", module("class Person(:\n    pass\n"), "hostile/entities.py:1"},
		{"deep nesting", module(strings.Repeat("(", 100_000) + "1" + strings.Repeat(")", 100_000)), "hostile/entities.py:1"},
		{"bytes that are no text", module("x = '\xff\xfe'\n"), "hostile/entities.py:1"},
		{"cyclic imports", map[string]string{
			"hostile/entities.py": "from hostile.other import thing\nPerson = 1\n",
			"hostile/other.py":    "from hostile.entities import Person\nthing = 1\n",
		}, "hostile/other.py:1"},
		{"needs itself", formula("return person('out', period)"), "out on 2020-01 is defined by itself"},
		{"needs itself for ever", formula("return person('out', period.offset(1, 'day')) "), "out"},
		{"a YAML bomb", map[string]string{"hostile/parameters/rate.yaml": bomb}, "hostile/parameters/rate.yaml:"},
		{"YAML that is none", map[string]string{"hostile/parameters/rate.yaml": "values: [\n"}, "hostile/parameters/rate.yaml:"},
		{"YAML that contains itself", map[string]string{"hostile/parameters/rate.yaml": "a: &a\n  b: *a\n"}, "hostile/parameters/rate.yaml"},
		{"an exception", formula("raise ValueError('no')"), "hostile/variables.py:10: ValueError: no"},
		{"a result of another length", formula("return numpy.zeros(7)"), "out"},
		{"a result that is no number", formula("return {}"), "out"},
		{"no system", map[string]string{"hostile/__init__.py": ""}, "CountryTaxBenefitSystem"},
		{"a system that is none", map[string]string{"hostile/__init__.py": "CountryTaxBenefitSystem = 5\n"}, "hostile"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			got := attempt(t, ctx, c.files)
			runtime.ReadMemStats(&after)
			if ctx.Err() != nil {
				t.Errorf("it had to be stopped: %s", got)
			}
			if !strings.Contains(got, c.want) {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
			if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 1500 {
				t.Errorf("it took %d MB", used)
			}
		})
	}
}

// attempt loads the package and computes its one variable; it returns what went wrong.
func attempt(t *testing.T, ctx context.Context, files map[string]string) string {
	t.Helper()
	all := fstest.MapFS{}
	for name, text := range hostileFiles {
		all[name] = &fstest.MapFile{Data: []byte(text)}
	}
	for name, text := range files {
		all[name] = &fstest.MapFile{Data: []byte(text)}
	}
	src, err := country.OpenFS(all, "hostile")
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := country.Load(ctx, country.Options{Limits: hostileLimits}, src)
	if err != nil {
		return err.Error()
	}
	cases, wrong := yamltest.Parse("case.yaml", []byte("{period: 2020-01, output: {out: 1}}"))
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	r := yamltest.NewSuite(pkg, pkg.System).RunCase(ctx, &cases[0], yamltest.Options{})
	if strings.Contains(r.Message, "the program itself failed") {
		t.Errorf("it panics: %s", r.Message)
	}
	return r.Message
}
