package country

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"edict/simulation/legislation"
)

// slow is small with a module that takes long to load, and one of everything that a module may hold.
func slow() map[string]string {
	files := maps.Clone(small)
	files["small/table.csv"] = "name,rate\na,1\nb,2\n"
	files["small/rules.py"] = `import csv, datetime, functools, math, os, re
from enum import Enum as Plain
import numpy as np
from openfisca_core.model_api import *
from openfisca_core.periods import period as as_period

for i in range(600_000):
    pass

class Color(Plain):
    RED = 1
    BLUE = 2

class Kind(Enum):
    first = "First"
    second = "Second"

class Base:
    "of all"
    made = []
    def __init__(self, n, *more, key=3, **rest):
        self.n, self.more, self.key, self.rest = n, more, key, rest
        self.made.append(n)
    @property
    def double(self):
        return 2 * self.n
    @staticmethod
    def still(x):
        return x + 1
    @classmethod
    def named(cls):
        return cls.__name__
    def __private(self):
        return "private"
    def tell(self):
        return self.__private() + str(self.n)

class Derived(Base):
    def tell(self):
        "more"
        return super().tell() + "!"
    pick = lambda self, x: (self.n, x)

class Wrong(ValueError):
    pass

def counter(start):
    n = start
    def add(by=1):
        nonlocal n
        return n + by
    def both(x):
        return [add(x), (lambda y: y * n)(x)]
    return add, both

def decorated(f):
    @functools.wraps(f)
    def around(*args, **kwargs):
        return ["around", f(*args, **kwargs)]
    return around

@decorated
def plain(x, y=2):
    """adds"""
    return x + y

@functools.lru_cache
def remembered(x):
    return [x, len(Base.made)]

def generate(n):
    for i in range(n):
        yield i * i

add, both = counter(10)
thing, other = Base(1, 2, z=4), Derived(5)
remembered(7)
shared = [thing]
holder = {"thing": thing, 1: "one", (1, "a"): "tuple", 2.5: shared, None: shared, True: "yes", Kind.first: "kind", datetime.date(2020, 1, 2): "day"}
array, grid, words = np.array([1.5, 2.5]), np.array([[1, 2], [3, 4]]), np.array(["a", "bc"])
kinds = Kind.encode(np.array([Kind.second, Kind.first]))
pattern = re.compile("a(b+)", re.I)
huge = 10 ** 30
unique = frozenset({1, 2})
when = as_period("2020-03")
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "table.csv")) as f:
    rates = {row["name"]: float(row["rate"]) for row in csv.DictReader(f)}
later = None

def first_use():
    global later
    if later is None:
        later = len(rates)
    return later

def everything():
    try:
        raise Wrong("told")
    except ValueError as e:
        error = [type(e).__name__, str(e)]
    return "\n".join(repr(x) for x in [
        thing.double, thing.more, thing.key, thing.rest, Base.still(1), Derived.named(), other.tell(), other.pick(6), Base.__doc__, Derived.tell.__doc__,
        add(), add(by=5), both(3), plain(1), plain(1, y=5), plain.__name__, plain.__doc__, remembered(7), remembered(8), list(generate(4)), 
        [str(k) for k in holder], holder[(1, "a")], holder[2.5] is holder[None], holder[2.5][0] is thing, holder[1], holder[Kind.first], holder[datetime.date(2020, 1, 2)],
        array.sum(), grid.tolist(), grid.shape, words.tolist(), kinds.decode_to_str().tolist(), Kind.second.value, Kind["first"] is Kind.first, list(Color), Color.RED.name, Color(2) is Color.BLUE,
        pattern.search("xABBx").group(1), str(huge), sorted(unique), str(when), str(when.start), rates, first_use(), math.floor(2.5), error, Base.made, __name__, os.path.basename(__file__),
    ])
`
	return files
}

func writeSlow(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range slow() {
		write(t, filepath.Join(dir, name), text)
	}
	return filepath.Join(dir, "small")
}

func images(t *testing.T, c *Cache) (files []string) {
	t.Helper()
	for _, name := range cacheFiles(t, c) {
		if strings.HasSuffix(name, imageSuffix) {
			files = append(files, name)
		}
	}
	return files
}

// everything is what the modules of a package hold, as its function tells.
func everything(t *testing.T, p *Package) string {
	t.Helper()
	told, err := p.Hook(t.Context(), "rules", "everything")
	if err != nil {
		t.Fatal(err)
	}
	text, _ := told.Text()
	return text
}

// fromImage tells whether a package was read from an image: its modules keep their trees.
func fromImage(t *testing.T, o Options, location string) (*Package, bool) {
	t.Helper()
	src, err := Open(location)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Load(t.Context(), o, src)
	if err != nil {
		t.Fatal(err)
	}
	return p, p.core.recalled
}

// TestImageGivesTheSame compares a package that was loaded with one that its image gave.
func TestImageGivesTheSame(t *testing.T) {
	location, c := writeSlow(t), newCache(t)
	fresh, recalled := fromImage(t, Options{}, location)
	if recalled {
		t.Fatal("an image without a cache")
	}
	want := everything(t, fresh)
	if !strings.Contains(want, `'around'`) {
		t.Fatal(want)
	}
	described := describe(t, nil, location)
	for _, again := range []bool{false, true, true} {
		p, recalled := fromImage(t, Options{Cache: c}, location)
		if recalled != again {
			t.Fatalf("read from an image: %t, want %t", recalled, again)
		}
		if got := everything(t, p); got != want {
			t.Errorf("image %t: its modules hold\n%s\nwant\n%s", recalled, got, want)
		}
		if got := describe(t, c, location); got != described {
			t.Errorf("image %t: the package is\n%s\nwant\n%s", recalled, got, described)
		}
		reformed, err := p.Apply(t.Context(), p.System, "good")
		if err != nil {
			t.Fatal(err)
		}
		if v, _ := reformed.Lookup("pay"); !v.Neutralized {
			t.Errorf("image %t: the reform does nothing", recalled)
		}
	}
	if files := images(t, c); len(files) != 1 {
		t.Errorf("images: %v", files)
	}
}

// TestImageHolds: an image is used as long as everything that loading looked at is as it was.
func TestImageHolds(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2026, 5, day, 12, 0, 0, 0, time.UTC) }
	for name, c := range map[string]struct {
		change func(t *testing.T, location string, o *Options, file string)
		files  map[string]string // besides
		holds  bool
	}{
		"nothing": {func(*testing.T, string, *Options, string) {}, nil, true},
		"a text": {func(t *testing.T, l string, _ *Options, _ string) {
			write(t, l+"/entities.py", small["small/entities.py"]+"\n")
		}, nil, false},
		"a parameter": {func(t *testing.T, l string, _ *Options, _ string) {
			write(t, l+"/parameters/rate.yaml", strings.Replace(small["small/parameters/rate.yaml"], "0.5", "0.6", 1))
		}, nil, false},
		"a table":       {func(t *testing.T, l string, _ *Options, _ string) { write(t, l+"/table.csv", "name,rate\na,9\n") }, nil, false},
		"a new file":    {func(t *testing.T, l string, _ *Options, _ string) { write(t, l+"/new.txt", "") }, nil, false},
		"an option":     {func(_ *testing.T, _ string, o *Options, _ string) { o.NEP50 = true }, nil, false},
		"a damaged one": {func(t *testing.T, _ string, _ *Options, file string) { damage(t, file) }, nil, false},
		"the day":       {func(_ *testing.T, _ string, o *Options, _ string) { o.Now = at(2) }, nil, true},
		"the day that it asked for": {func(_ *testing.T, _ string, o *Options, _ string) { o.Now = at(2) },
			map[string]string{"suggest.py": "import datetime\ntoday = datetime.date.today()\n"}, false},
		"the hour of that day": {func(_ *testing.T, _ string, o *Options, _ string) { o.Now = at(1).Add(time.Hour) },
			map[string]string{"suggest.py": "import datetime\ntoday = datetime.date.today()\n"}, true},
		"the working directory": {func(_ *testing.T, _ string, o *Options, _ string) { o.Work = fstest.MapFS{"other.txt": {}} }, nil, true},
		"a file that it sought there": {func(_ *testing.T, _ string, o *Options, _ string) { o.Work = fstest.MapFS{"found.txt": {}} },
			map[string]string{"suggest.py": "import os\nthere = os.path.exists('found.txt')\n"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			location, o := writeSlow(t), Options{Cache: newCache(t), Now: at(1)}
			for file, text := range c.files {
				write(t, filepath.Join(location, file), text)
			}
			fromImage(t, o, location)
			files := images(t, o.Cache)
			if len(files) != 1 {
				t.Fatalf("images: %v", files)
			}
			c.change(t, location, &o, files[0])
			if _, recalled := fromImage(t, o, location); recalled != c.holds {
				t.Errorf("read from an image: %t, want %t", recalled, c.holds)
			}
		})
	}
}

func damage(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestNoImage: what is no data, or changes what Go code gives, makes no image, and the package is loaded as ever.
func TestNoImage(t *testing.T) {
	for _, code := range []string{"left = iter([1, 2])\n", "from openfisca_core.variables import Variable\nVariable.extra = 1\n"} {
		location, c := writeSlow(t), newCache(t)
		write(t, filepath.Join(location, "suggest.py"), code)
		var made os.FileInfo
		for range 2 {
			p, recalled := fromImage(t, Options{Cache: c}, location)
			if recalled || !strings.Contains(everything(t, p), `'around'`) {
				t.Errorf("%q: an image, or not what it should be", code)
			}
			files := images(t, c)
			if len(files) != 1 {
				t.Fatalf("%q: images %v", code, files)
			}
			info, err := os.Stat(files[0])
			if err != nil {
				t.Fatal(err)
			}
			if info.Size() > 1<<10 || made != nil && !os.SameFile(made, info) {
				t.Errorf("%q: the image has %d bytes, or was tried again", code, info.Size())
			}
			made = info
		}
	}
}

// TestImageOfLargePackage: of a package that is only large the first load that finds nothing new makes an image.
func TestImageOfLargePackage(t *testing.T) {
	location, o := writeSlow(t), Options{Cache: newCache(t)}
	rules := filepath.Join(location, "rules.py")
	text := strings.Replace(slow()["small/rules.py"], "600_000", "6", 1)
	write(t, rules, text)
	write(t, filepath.Join(location, "large.py"), strings.Repeat("# "+strings.Repeat("a", 100)+"\n", LargeText/100))
	for i, step := range []struct {
		edit   bool
		image  bool // is there afterwards
		recall bool
	}{{}, {image: true}, {image: true, recall: true}, {edit: true, image: true}, {image: true}, {image: true, recall: true}} {
		if step.edit {
			write(t, rules, text+"\nmore = 1\n")
		}
		p, recalled := fromImage(t, o, location)
		if files := images(t, o.Cache); recalled != step.recall || len(files) > 0 != step.image {
			t.Errorf("load %d: read from an image: %t, want %t; images %v, want %t", i+1, recalled, step.recall, files, step.image)
		}
		if !strings.Contains(everything(t, p), `'around'`) {
			t.Errorf("load %d is not what it should be", i+1)
		}
	}
}

// TestLabelsAreReadAtEachLoad: texts in other languages are in no image; an edited file counts at once, and a faulty file gives a warning.
func TestLabelsAreReadAtEachLoad(t *testing.T) {
	location, c := writeSlow(t), newCache(t)
	file := filepath.Join(location, "labels", "fr.yaml")
	given, err := legislation.ReadTranslation("de.yaml", []byte("variables: {pay: Lohn}"))
	if err != nil {
		t.Fatal(err)
	}
	label := func(p *Package, language string) string {
		v, err := p.System.Lookup("pay")
		if err != nil {
			t.Fatal(err)
		}
		return p.System.Texts(language).Label(v)
	}
	for _, text := range []string{"Paie", "Salaire", "Salaire"} {
		write(t, file, "package_language: en\nvariables:\n  pay: "+text+"\n  pai: Paie\n")
		p, recalled := fromImage(t, Options{Cache: c}, location)
		if got := label(p, "fr"); got != text {
			t.Errorf("image %t: pay is %q in French, want %q", recalled, got, text)
		}
		if want := "/small/labels/fr.yaml:4: there is no variable 'pai' in this law; did you mean 'pay'?"; len(p.Warnings) == 0 || p.Warnings[len(p.Warnings)-1].Error() != want {
			t.Errorf("image %t: the warnings are %v, want %s", recalled, p.Warnings, want)
		}
	}
	p, recalled := fromImage(t, Options{Cache: c, Labels: []*legislation.Translation{given}}, location)
	if got := label(p, "de"); got != "Lohn" || !recalled {
		t.Errorf("image %t: pay is %q in German", recalled, got)
	}
	write(t, file, "variables: [\n")
	p, _ = fromImage(t, Options{Cache: c}, location)
	if got := label(p, "fr"); len(p.Warnings) == 0 || got != label(p, "") {
		t.Errorf("the warnings are %v, pay is %q", p.Warnings, got)
	}
}
