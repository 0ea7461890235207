package numpy_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	py "edict/simulation/pyeval"
	"edict/simulation/pyeval/numpy"
	"edict/simulation/pyeval/stdlib"
)

// hostile calls every function of the modules written in Go, and every method of their values, with arguments they do
// not expect. Python exceptions are fine; the test fails if Go panics or a call takes more than its share.
const hostile = `
import builtins
import datetime, json, math, re
import numpy as np

values = [
    None, True, -1, 0, 3, 10**30, 2.5, float("nan"), "", "abc", b"x", "2020-01-01", [], [1, 2, 3], [[1, 2], [3, 4]], (), {"a": 1}, {1, 2},
    np.array([]), np.array([1, 2, 3]), np.array([1.5, -2.5], dtype="float32"), np.array([True, False, True]), np.array(["a", "bc"]),
    np.array([b"a"]), np.array(["2020-01-01", "2021-01-01"], dtype="datetime64[D]"), np.array([1, 2], dtype="timedelta64[D]"),
    np.array([None, "a"], dtype=object), np.array([[1, 2], [3, 4]]), np.float32(2), np.datetime64("2020"), np.zeros((2, 3)), np.full(5, 7), np.arange(12).reshape(2, 3, 2), np.zeros((2, 0, 3)), np.ones((1, 2, 2), dtype=bool),
    datetime.date(2020, 1, 1), datetime.timedelta(days=2), int, np.float64, lambda *a: 1, range(3), slice(1, 2), object(),
]
few = [None, -1, 2, "a", [1, 2, 3], np.array([1, 2, 3]), np.array([[1, 2], [3, 4]]), np.array([True, False, True]), np.arange(8).reshape(2, 2, 2), (0, 1), int, 10**18]
count = 0


def attempt(f, *args, **kwargs):
    global count
    count += 1
    try:
        return f(*args, **kwargs)
    except Exception:
        return None


def attack(f):
    attempt(f)
    for x in values:
        attempt(f, x)
    for x in few:
        for y in few:
            attempt(f, x, y)
            attempt(f, x, y, y)
        attempt(f, x, axis=0)
        attempt(f, x, dtype="int32")


for module in [np, np.char, math, re, json, datetime]:
    for name in dir(module):
        f = getattr(module, name)
        if callable(f):
            attack(f)
for v in values:
    for name in dir(v) if not isinstance(v, type) else []:
        method = getattr(v, name, None)
        if callable(method) and not name.startswith("__"):
            attempt(method)
            for x in few[:-1]:  # a text of 10**18 characters ends the run, as it should
                attempt(method, x)
                attempt(method, x, x)
    for k in values:
        attempt(lambda: v[k])
        attempt(lambda: v + k)
        attempt(lambda: v == k)
        attempt(lambda: v < k)
        attempt(lambda: v @ k)
        attempt(lambda: -v)
        attempt(lambda: repr(v))
for cls in [int, float, bool, str, bytes, list, tuple, dict, set, frozenset, range, slice, type, property, np.ndarray, np.float32, np.int32,
            np.datetime64, np.timedelta64, datetime.date, datetime.datetime, datetime.timedelta, Exception]:
    for name in dir(cls):
        f = getattr(cls, name, None)
        if callable(f):
            attempt(f)
            for x in values + [np.array([]), np.array(["a"])[0], 10**30, {}, set(), (), b""]:
                attempt(f, x)
                attempt(f, x, 1)
                attempt(f, x, None, None)
for name in dir(builtins):
    f = getattr(builtins, name)
    if callable(f) and name not in ("open", "print", "input"):
        attempt(f)
        for x in values:
            attempt(f, x)
            for y in few[:-1]:
                attempt(f, x, y)
                attempt(f, y, x, y)
print(count > 40000)
`

func TestHostileCalls(t *testing.T) {
	var out strings.Builder
	p := py.NewProgram(py.Root{FS: fstest.MapFS{"main.py": {Data: []byte(hostile)}}, Path: "/test"})
	stdlib.Install(p)
	numpy.Install(p)
	p.Stdout = &out
	p.Limits = py.Limits{Steps: 200_000_000, Time: 2 * time.Minute, Bytes: 4 << 30}
	if _, err := p.Import(context.Background(), "main"); err != nil {
		t.Fatal(err)
	}
	if out.String() != "True\n" {
		t.Errorf("printed %q, want True: too few calls were made", out.String())
	}
}
