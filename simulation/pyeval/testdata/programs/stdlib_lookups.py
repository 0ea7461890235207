# Dicts of two columns of a table: whatever is done with one, the next one is as the file says.
import csv
from copy import copy, deepcopy


def load(path, key="code", value="name"):
    with open(path, encoding="utf-8") as f:
        return {row[key]: row[value] for row in csv.DictReader(f)}


for path in ["tabular/plain.csv", "tabular/twice.csv", "tabular/short.csv", "tabular/blank.csv", "tabular/long.csv", "tabular/empty.csv"]:
    for _ in range(2):
        d = load(path)
        print(path, len(d), d.get("b"), d.get("z", 0), "c" in d, "z" in d, bool(d), 1 in d, d.get(1), d.get(None))
        print(d)
        print(list(d), list(d.values()), list(d.items()), list(d.keys()), [*reversed(list(d))])

d = load("tabular/plain.csv")
print(d == load("tabular/plain.csv"), d != {}, d == dict(load("tabular/plain.csv")), {"a": "Alpha"} == d, sorted(d.items())[0])
e = load("tabular/plain.csv")
e["b"] = "changed"
e[1] = "one"
f = load("tabular/plain.csv")
print(f.popitem(), f.pop("a"), f.setdefault("q", 5), len(f), f)
g = load("tabular/plain.csv")
g.update(x=1)
print(g, copy(load("tabular/plain.csv")) == deepcopy(load("tabular/plain.csv")), {**load("tabular/plain.csv"), "k": 1}, load("tabular/plain.csv") | {"m": 2})
h = load("tabular/plain.csv")
del h["c"]
print(h, e, load("tabular/plain.csv"), load("tabular/plain.csv", "name", "code"), load("tabular/plain.csv", "size", "size"))
i = load("tabular/plain.csv")
i.clear()
print(i, load("tabular/plain.csv")["a"], max(load("tabular/plain.csv")), [k for k in load("tabular/plain.csv") if k > "a"])
for missing in [("none", "name"), ("code", "none")]:
    try:
        print(load("tabular/plain.csv", *missing))
    except KeyError as error:
        print("KeyError", error)
try:
    load("tabular/plain.csv")["z"]
except KeyError as error:
    print("KeyError", error)
