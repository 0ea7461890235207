package country

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
)

// TestCensus holds the names that packages can write to a list of them: those of numpy 1.26 and 2, of arrays and dtypes, of
// OpenFisca-Core, of Python 3.11's built-ins and their methods. Each is there, or in absent.txt with the reason.
// census/generate.py makes the list.
func TestCensus(t *testing.T) {
	text, err := os.ReadFile("census/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	src, err := OpenFS(fstest.MapFS{"census/__init__.py": {Data: []byte(sampled)}}, "census")
	if err != nil {
		t.Fatal(err)
	}
	c, err := newCore(t.Context(), Options{}, []*Source{src})
	if err != nil {
		t.Fatal(err)
	}
	th := c.program.NewThread(t.Context(), loadLimits)
	th.Local = c
	names := strings.Fields(string(text))
	there := map[string]int{}
	all := map[string]int{}
	for _, name := range names {
		kind, _, _ := strings.Cut(name, ".")
		all[kind]++
		reason, absent := Absent(name)
		switch found := isThere(th, name); {
		case found && absent:
			t.Errorf("%s is there, and absent.txt says that it is not: %s", name, reason)
		case found:
			there[kind]++
		case !absent:
			t.Errorf("%s is neither there nor in absent.txt", name)
		}
	}
	for _, name := range absentNames() {
		if !slices.Contains(names, name) {
			t.Errorf("absent.txt names %s, which is no name of the census", name)
		}
	}
	for kind, n := range all {
		t.Logf("%s: %d of %d", kind, there[kind], n)
	}
}

// sampled is a module with something of each type.
const sampled = `
import numpy

samples = {
    "bool": True, "bytes": b"", "dict": {}, "float": 1.0, "frozenset": frozenset(), "int": 1, "list": [], "object": object(),
    "range": range(1), "set": set(), "slice": slice(1), "str": "", "tuple": (), "numpy.ndarray": numpy.array([1.0]), "numpy.dtype": numpy.dtype("float64"),
}
`

// isThere tells whether code can write a name.
func isThere(th *py.Thread, name string) bool {
	at := strings.LastIndexByte(name, '.')
	found := false
	_, err := th.Try(func() py.Value {
		_, found = th.Attr(ownerOf(th, name[:at]), name[at+1:])
		return py.None
	})
	return err == nil && found
}

// ownerOf is something of a type, or a module.
func ownerOf(th *py.Thread, name string) py.Value {
	m, err := th.Import("census")
	if err != nil {
		th.Throw(err)
	}
	samples, _ := m.Get("samples")
	if v, ok := samples.Object().(*py.Dict).Get(name); ok {
		return v
	}
	if m, err = th.Import(name); err != nil {
		th.Throw(err)
	}
	return py.Obj(m)
}

// TestBecause looks through a package whose formula asks for what is not there, and is told where, what and why.
func TestBecause(t *testing.T) {
	src, err := OpenFS(fstest.MapFS{"land/__init__.py": {Data: []byte(`
import numpy
from openfisca_core.entities import build_entity
from openfisca_core.taxbenefitsystems import TaxBenefitSystem
from openfisca_core.variables import Variable

Person = build_entity(key="person", plural="persons", label="", is_person=True)


class owed(Variable):
    value_type = float
    entity = Person
    definition_period = "year"

    def formula(person, period):
        return numpy.einsum("i", numpy.zeros(3).tobytes())


class CountryTaxBenefitSystem(TaxBenefitSystem):
    def __init__(self):
        super().__init__([Person])
        self.add_variable(owed)
`)}}, "land")
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := Load(t.Context(), Options{}, src)
	if err != nil {
		t.Fatal(err)
	}
	problems, _, err := pkg.Audit(t.Context())
	if err != nil || len(problems) != 2 {
		t.Fatalf("%v, %v", problems, err)
	}
	for i, want := range []string{"how numbers lie in memory cannot be seen here", "matrices and their algebra are no legislation"} {
		if !slices.ContainsFunc(problems, func(p legislation.Problem) bool { return p.Line == 16 && strings.HasSuffix(p.Msg, ": "+want) }) {
			t.Errorf("%d: none of %v says %q", i, problems, want)
		}
	}
}
