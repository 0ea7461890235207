# Files, json, csv, paths, tables of numbers.
import codecs
import csv
import io
import json
import os
from os import path
from pathlib import Path

import numpy as np

here = os.path.dirname(__file__)
assets = os.path.join(here, "assets")
with open(os.path.join("assets", "towns.csv"), encoding="utf-8") as f:
    rows = list(csv.reader(f, delimiter=";"))
print(rows)
with codecs.open("assets/towns.csv", "r", "utf-8") as f:
    for row in csv.DictReader(f, delimiter=";"):
        print(row["code"], row["name"], dict(row))
with open("assets/data.json") as f:
    data = json.load(f)
print(data, list(data), json.loads("[1, -2.5e3]"), json.dumps({"é": [1, None, True, 2.0, "q\"\n"]}), json.dumps([1, {"a": 1}]))
table = np.genfromtxt("assets/grid.csv", delimiter=",", skip_header=1, dtype="int64")
print(table.shape, table[1, 2], table[:, 1].tolist(), table[np.array([0, 2]), np.array([1, 1])].tolist(), table.dtype)
print(np.genfromtxt("assets/grid.csv", delimiter=",", skip_header=1)[0].tolist())
print(path.basename("/a/b.txt"), path.splitext("/a/b.tar.gz"), path.dirname("/a/b.txt"), path.join("a", "b", "/c"), path.join("a/", "b"), os.path.exists("assets"), os.path.isfile("assets/none"), path.isdir("assets"))
p = Path("assets") / "data.json"
print(p, p.name, p.stem, p.suffix, p.parent, p.exists(), Path("x").exists(), p.read_text()[:5], Path("/a/b").parent, Path("a") == Path("a"))
print(sorted(os.listdir("assets")), sorted(x.name for x in Path("assets").glob("*.csv")))
s = io.StringIO("one\ntwo\n")
print(s.readline(), [line.strip() for line in s])
try:
    open("assets/none.txt")
except FileNotFoundError as e:
    print("FileNotFoundError", os.path.exists("assets/none.txt"))
try:
    json.loads("{bad")
except ValueError:
    print("ValueError")
