package country

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"edict/simulation/vector"
)

// withImage loads the package twice, so that it comes from its image.
func withImage(t *testing.T, o Options, location string) *Package {
	t.Helper()
	fromImage(t, o, location)
	p, recalled := fromImage(t, o, location)
	if !recalled {
		t.Fatal("there is no image")
	}
	return p
}

// TestKept: what was kept is given to later processes as long as all is as it was that it may depend on, what the code read or asked for after
// loading included.
func TestKept(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2026, 5, day, 12, 0, 0, 0, time.UTC) }
	reads := map[string]string{"rules.py": slow()["small/rules.py"] + "\ndef reads():\n    return open(os.path.join(here, 'late.txt')).read()\n", "late.txt": "one"}
	clock := map[string]string{"rules.py": slow()["small/rules.py"] + "\ndef reads():\n    return str(datetime.date.today())\n"}
	for name, c := range map[string]struct {
		change   func(t *testing.T, location string, o *Options, file string)
		files    map[string]string // besides
		question string
		holds    bool
	}{
		"nothing":          {func(*testing.T, string, *Options, string) {}, nil, "q", true},
		"another question": {func(*testing.T, string, *Options, string) {}, nil, "r", false},
		"a text": {func(t *testing.T, l string, _ *Options, _ string) {
			write(t, l+"/entities.py", small["small/entities.py"]+"\n")
		}, nil, "q", false},
		"a parameter": {func(t *testing.T, l string, _ *Options, _ string) {
			write(t, l+"/parameters/rate.yaml", strings.Replace(small["small/parameters/rate.yaml"], "0.5", "0.6", 1))
		}, nil, "q", false},
		"a table that loading read": {func(t *testing.T, l string, _ *Options, _ string) { write(t, l+"/table.csv", "name,rate\na,9\n") }, nil, "q", false},
		"a file read later":         {func(t *testing.T, l string, _ *Options, _ string) { write(t, l+"/late.txt", "two") }, reads, "q", false},
		"the same file":             {func(t *testing.T, l string, _ *Options, _ string) { write(t, l+"/late.txt", "one") }, reads, "q", true},
		"a file nobody read": {func(t *testing.T, l string, _ *Options, _ string) { write(t, l+"/late.txt", "two") },
			map[string]string{"late.txt": "one"}, "q", true},
		"an option":                 {func(_ *testing.T, _ string, o *Options, _ string) { o.NEP50 = true }, nil, "q", false},
		"damaged":                   {func(t *testing.T, _ string, _ *Options, file string) { damage(t, file) }, nil, "q", false},
		"the day":                   {func(_ *testing.T, _ string, o *Options, _ string) { o.Now = at(2) }, nil, "q", true},
		"the day that it asked for": {func(_ *testing.T, _ string, o *Options, _ string) { o.Now = at(2) }, clock, "q", false},
		"a working directory":       {func(_ *testing.T, _ string, o *Options, _ string) { o.Work = fstest.MapFS{} }, nil, "q", false},
	} {
		t.Run(name, func(t *testing.T) {
			location, o := writeSlow(t), Options{Cache: newCache(t), Now: at(1)}
			for file, text := range c.files {
				write(t, filepath.Join(location, file), text)
			}
			p := withImage(t, o, location)
			if strings.Contains(c.files["rules.py"], "reads") {
				if _, err := p.Hook(t.Context(), "rules", "reads"); err != nil {
					t.Fatal(err)
				}
			}
			p.Keep("q", []byte("answer"))
			var file string
			for _, name := range cacheFiles(t, o.Cache) {
				if strings.HasSuffix(name, keptSuffix) {
					file = name
				}
			}
			c.change(t, location, &o, file)
			again := withImage(t, o, location)
			want := ""
			if c.holds {
				want = "answer"
			}
			for range 2 { // the second time goes by what the first was given
				if got := again.Kept(c.question); got != want {
					t.Errorf("%q was kept, want %q", got, want)
				}
				if c.holds {
					want = "another"
					again.Keep("q", []byte(want))
				}
			}
		})
	}
}

// TestKeptOnceMore: what a process adds to what it was given holds as long as that did, though its code asked for nothing.
func TestKeptOnceMore(t *testing.T) {
	on := func(day int) time.Time { return time.Date(2026, 5, day, 12, 0, 0, 0, time.UTC) }
	location, o := writeSlow(t), Options{Cache: newCache(t), Now: on(1)}
	write(t, location+"/late.txt", "one")
	write(t, location+"/rules.py", slow()["small/rules.py"]+"\ndef reads():\n    return open(os.path.join(here, 'late.txt')).read() + str(datetime.date.today())\n")
	p := withImage(t, o, location)
	if _, err := p.Hook(t.Context(), "rules", "reads"); err != nil {
		t.Fatal(err)
	}
	p.Keep("q", []byte("answer"))
	p = withImage(t, o, location)
	if got := p.Kept("q"); got != "answer" {
		t.Fatalf("%q was kept", got)
	}
	p.Keep("q", []byte("another"))
	if got := withImage(t, o, location).Kept("q"); got != "another" {
		t.Errorf("%q was kept, want what was added", got)
	}
	next := o
	next.Now = on(2)
	if got := withImage(t, next, location).Kept("q"); got != "" {
		t.Errorf("on another day %q was kept", got)
	}
	write(t, location+"/late.txt", "two")
	if got := withImage(t, o, location).Kept("q"); got != "" {
		t.Errorf("%q was kept of a file that has changed", got)
	}
}

// TestKeptOfAFileThatChanges: what followed from a file is not kept for what the file says by then.
func TestKeptOfAFileThatChanges(t *testing.T) {
	location, o := writeSlow(t), Options{Cache: newCache(t)}
	write(t, location+"/late.txt", "one")
	write(t, location+"/rules.py", slow()["small/rules.py"]+"\ndef reads():\n    return open(os.path.join(here, 'late.txt')).read()\n")
	p := withImage(t, o, location)
	if _, err := p.Hook(t.Context(), "rules", "reads"); err != nil {
		t.Fatal(err)
	}
	write(t, location+"/late.txt", "two")
	p.Keep("q", []byte("one"))
	if got := withImage(t, o, location).Kept("q"); got != "" {
		t.Errorf("%q was kept though the file changed in between", got)
	}
}

// TestNothingKept: a package without an image, or without a cache, keeps nothing.
func TestNothingKept(t *testing.T) {
	location := writeSlow(t)
	write(t, filepath.Join(location, "suggest.py"), "left = iter([1, 2])\n")
	for _, o := range []Options{{}, {Cache: newCache(t)}} {
		p, _ := fromImage(t, o, location)
		p.Keep("q", []byte("answer"))
		if got := p.Kept("q"); got != "" {
			t.Errorf("%q was kept", got)
		}
	}
}

// TestReferences: members of enumerations and their domains have names, by which a package that was loaded apart finds its own.
func TestReferences(t *testing.T) {
	location := writeSlow(t)
	write(t, filepath.Join(location, "kinds.py"), `
from openfisca_core.indexed_enums import Enum
class Alone(Enum):
    one = "One"
    two = "Two"
`)
	write(t, filepath.Join(location, "rules.py"), slow()["small/rules.py"]+"\nfrom small.kinds import Alone\n")
	p, _ := fromImage(t, Options{}, location)
	other, _ := fromImage(t, Options{}, location)
	names, found := p.References(p.System).(*references), other.References(other.System).(*references)
	e := names.classEnum("small.kinds:Alone")
	theirs := found.classEnum("small.kinds:Alone")
	if e == nil || theirs == nil || e == theirs {
		t.Fatal("the enumeration is not imported")
	}
	for i, m := range e.members {
		name, ok := names.Name(m)
		x, there := found.Find(name)
		key, do, operates := found.Operation(name)
		if !ok || !there || x != any(theirs.members[i]) || !operates || key != any(theirs.members[i]) || do == nil {
			t.Errorf("%q leads to %v, %v", name, x, key)
		}
	}
	name, ok := names.Name(e.enum.Domain)
	if x, there := found.Find(name); !ok || !there || x != any(theirs.enum.Domain) {
		t.Errorf("%q leads to %v", name, x)
	}
	for _, stranger := range []any{&vector.Domain{}, "text", 1.5} {
		if name, ok := names.Name(stranger); ok {
			t.Errorf("%v is named %q", stranger, name)
		}
	}
	for _, name := range []string{"", "member 0 0/nothing", "member 9 0/pay", "class member 2 small.kinds:Alone", "class domain small:x", "domain 7/pay", "domain x", "scale {}", "path {}"} {
		if x, ok := found.Find(name); ok {
			t.Errorf("%q leads to %v", name, x)
		}
		if key, _, ok := found.Operation(name); ok {
			t.Errorf("%q leads to %v", name, key)
		}
	}
}
