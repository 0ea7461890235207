package pyeval_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	osexec "os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"edict/platform/longtest"
	py "edict/simulation/pyeval"
)

// hostileLimits are small, so that what does not hold to them shows; hostileStack is what recursion may take.
var hostileLimits = py.Limits{Steps: 50_000, Bytes: 256 << 20, Time: time.Minute}

// hostileHeap is what the process may take: the values, what a run may hold, and what one step adds before it is noticed.
const (
	hostileStack = 32 << 20
	hostileHeap  = 2 << 30
)

// hostileChild names the variable that makes the test the process that calls; its value is the seed.
const hostileChild = "EDICT_HOSTILE_SEED"

// TestHostileArguments calls everything that the evaluator has in its tables, and every operator, with arguments that mean no
// good. Each call must end within the limits: by a value, or by an error that says where. It runs in a process of its own,
// because a stack that overflows and memory that runs out end a process.
func TestHostileArguments(t *testing.T) {
	if seed := os.Getenv(hostileChild); seed != "" {
		callHostile(t, seed)
		return
	}
	seed := "1"
	if s := os.Getenv("EDICT_HOSTILE"); s != "" {
		seed = s
	}
	log := t.TempDir() + "/calls"
	cmd := osexec.Command(os.Args[0], "-test.run=^TestHostileArguments$", "-test.v")
	cmd.Env = append(os.Environ(), hostileChild+"="+seed, "EDICT_HOSTILE_LOG="+log)
	out, err := cmd.CombinedOutput()
	if err != nil {
		lines := strings.Split(string(out), "\n")
		t.Errorf("the process ended with %v; its last call was %s\n%s", err, lastLine(log), strings.Join(lines[:min(len(lines), 60)], "\n"))
	}
	for line := range strings.SplitSeq(string(out), "\n") {
		if strings.Contains(line, "calls") && strings.Contains(line, "MB") {
			t.Log(strings.TrimSpace(line))
		}
	}
}

func lastLine(file string) string {
	text, _ := os.ReadFile(file)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}

// hostileRun is a program with hostile values and what they are given to.
type hostileRun struct {
	program *py.Program
	call    py.Value
	made    py.Value // a list of what the last call made
	values  map[string]py.Value
	names   []string // of the values
}

func newHostileRun(t testing.TB) *hostileRun {
	t.Helper()
	p := newProgram(py.Root{FS: os.DirFS("testdata/hostile"), Path: "/hostile"})
	p.Limits = py.Limits{Steps: 50_000_000, Time: time.Minute}
	r := &hostileRun{program: p, values: map[string]py.Value{}}
	m, err := p.Import(context.Background(), "values")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range m.Names() {
		v, _ := m.Get(name)
		if _, isModule := v.Object().(*py.Module); !isModule && !strings.HasPrefix(name, "_") && name != "i" && name != "DEPTH" {
			r.values[name] = v
			r.names = append(r.names, name)
		}
	}
	slices.Sort(r.names)
	calls, err := p.Import(context.Background(), "call")
	if err != nil {
		t.Fatal(err)
	}
	r.call, _ = calls.Get("call")
	r.made, _ = calls.Get("made")
	return r
}

func (r *hostileRun) class(t testing.TB, module, name string) *py.Class {
	t.Helper()
	m, err := r.program.Import(context.Background(), module)
	if err != nil {
		t.Fatal(err)
	}
	v, _ := m.Get(name)
	return v.Object().(*py.Class)
}

// targets are the functions, methods and operators to call.
func (r *hostileRun) targets(t testing.TB) map[string]py.Value {
	t.Helper()
	out := map[string]py.Value{}
	add := func(prefix string, names []string, get func(string) (py.Value, bool)) {
		for _, name := range names {
			v, _ := get(name)
			if _, ok := v.Object().(py.Callable); ok {
				out[prefix+name] = v
			}
		}
	}
	for name, v := range py.Builtins() {
		if c, ok := v.Object().(*py.Class); ok && c != py.ValueError && c.IsSub(py.BaseException) {
			continue // they are made in one way
		}
		out[name] = v
		if c, ok := v.Object().(*py.Class); ok {
			add(name+".", c.Names(), c.Own)
		}
	}
	for _, c := range append(py.HiddenClasses(), r.class(t, "numpy", "generic")) {
		add(c.Name+".", c.Names(), c.Own)
	}
	modules := []string{"numpy.char", "call"}
	for name := range r.program.Tables() {
		modules = append(modules, name)
	}
	for _, root := range r.program.Libraries() {
		err := fs.WalkDir(root.FS, ".", func(path string, _ fs.DirEntry, err error) error {
			if name, ok := strings.CutSuffix(path, ".py"); ok {
				modules = append(modules, strings.TrimSuffix(strings.ReplaceAll(name, "/", "."), ".__init__"))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range modules {
		m, err := r.program.Import(context.Background(), name)
		if err != nil {
			t.Fatal(err)
		}
		add(name+".", m.Names(), m.Get)
	}
	delete(out, "call.call")
	return out
}

// callHostile makes the calls; what goes wrong without ending the process it reports.
func callHostile(t *testing.T, seed string) {
	debug.SetMaxStack(hostileStack)
	log, err := os.Create(os.Getenv("EDICT_HOSTILE_LOG"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	seed, full := strings.CutSuffix(seed, "full")
	n := uint64(1)
	_, _ = fmt.Sscan(seed, &n)
	random := rand.New(rand.NewPCG(n, n))
	r := newHostileRun(t)
	targets := r.targets(t)
	names := make([]string, 0, len(targets))
	for name := range targets {
		names = append(names, name)
	}
	slices.Sort(names)
	go func() {
		for range time.Tick(50 * time.Millisecond) {
			if held := py.HeapBytes(); held > hostileHeap {
				fmt.Printf("the heap has %d MB\n", held>>20)
				os.Exit(3)
			}
		}
	}()
	count, slowest, slow := 0, time.Duration(0), ""
	for i, name := range names {
		if i%100 == 0 {
			r = newHostileRun(t) // calls have changed the values
			targets = r.targets(t)
		}
		for _, args := range r.arguments(random, full) {
			what := name + "(" + strings.Join(args, ", ") + ")"
			if _, err := log.WriteString(what + "\n"); err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			r.attempt(t, what, targets[name], args)
			if d := time.Since(start); d > slowest {
				slowest, slow = d, what
			}
			count++
		}
	}
	if full {
		count += followPlans(t, random, log)
	}
	t.Logf("%d calls of %d functions with %d values; slowest %v: %s; %d MB at most", count, len(names), len(r.names), slowest.Round(time.Millisecond), slow, peakMemory()>>20)
}

// arguments chooses lists of arguments: one of up to three values. The long mode has none, one value, a pair and a triple;
// a full run has each value by itself and more of the others.
func (r *hostileRun) arguments(random *rand.Rand, full bool) [][]string {
	pick := func() string { return r.names[random.IntN(len(r.names))] }
	if !full && !longtest.Enabled() {
		list := make([]string, 1+random.IntN(3))
		for i := range list {
			list[i] = pick()
		}
		return [][]string{list}
	}
	out := [][]string{nil}
	each := 1
	if full {
		each = 30
		for _, a := range r.names {
			out = append(out, []string{a})
		}
	}
	for range each {
		out = append(out, []string{pick()}, []string{pick(), pick()}, []string{pick(), pick(), pick()})
	}
	return out
}

// attempt calls a function with values.
func (r *hostileRun) attempt(t *testing.T, what string, fn py.Value, names []string) {
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s panics: %v\n%s", what, p, debug.Stack())
		}
	}()
	args := make([]py.Value, len(names))
	for i, name := range names {
		args[i] = r.values[name]
	}
	r.check(t, what, fn, py.NewTuple(args))
}

// check makes a call, whose error must say where it happened.
func (r *hostileRun) check(t *testing.T, what string, args ...py.Value) {
	th := r.program.NewThread(context.Background(), hostileLimits)
	_, err := th.Call(r.call, args...)
	if err == nil {
		return
	}
	python, ok := errors.AsType[*py.Error](err)
	switch {
	case !ok || len(python.Traceback) == 0:
		t.Errorf("%s: an error without a place: %v", what, err)
	case errors.Is(err, py.ErrTime):
		t.Errorf("%s: it took %v", what, hostileLimits.Time)
	}
}

// peakMemory is the most memory that the process had, in bytes; 0 if the system does not tell.
func peakMemory() int64 {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "VmHWM:"); ok {
			var kb int64
			_, _ = fmt.Sscan(rest, &kb)
			return kb << 10
		}
	}
	return 0
}
