# Paths and patterns. What a directory lists is sorted: its order is nobody's promise.
import fnmatch
import glob
import os
from pathlib import Path, PurePath

p = Path("tables") / "." / "a//b.tar.gz"
print(p, p.name, p.stem, p.suffix, p.suffixes, p.parent, [str(x) for x in p.parents], p.parts, p.is_absolute())
print(Path("/x/y").parts, [str(x) for x in Path("/x/y").parents], Path("/").parent, Path(), Path("a") == PurePath("a") or "pure")
print(p.with_suffix(".csv"), p.with_name("c"), Path("x.py").with_stem("y"), "base" / Path("x"), os.fspath(p), p.as_posix())
print(p.relative_to("tables"), p.is_relative_to("other"), sorted([Path("b"), Path("a/c"), Path("a")]))
try:
    p.relative_to("other")
except ValueError:
    print("elsewhere")
print(p.match("*.gz"), p.match("a/*.gz"), p.match("*.csv"))

for name, pattern in (("a.py", "*.py"), ("a.py", "?.py"), ("ab.py", "?.py"), ("a1", "a[0-9]"), ("ax", "a[!0-9]"), ("a]", "a]"), ("a.b", "a?b"), ("[", "[[]")):
    print(name, pattern, fnmatch.fnmatch(name, pattern))
print(fnmatch.filter(["a.csv", "b.py", "c.csv"], "*.csv"))

print(sorted(glob.glob("std*.csv")), sorted(glob.glob("*/*.csv"))[:3], glob.glob("nothing*"), glob.glob("stdlib_rows.csv"))
print(sorted(glob.glob("**/stdlib_rows.csv", recursive=True)), sorted(glob.glob("*.csv", root_dir=".")))
print(sorted(str(x) for x in Path(".").glob("std*.csv")), sorted(x.name for x in Path(".").rglob("stdlib_rows.*")), sorted(glob.escape("a*b")))
