import os, json, csv, re, math, datetime, functools, itertools, operator, collections, copy, logging, typing, fractions, pathlib, importlib, codecs, io, sys, warnings, textwrap, dataclasses, string, abc, configparser
from importlib import resources
from dateutil.relativedelta import relativedelta
from datetime import date, timedelta
from collections import namedtuple, defaultdict, Counter, OrderedDict
print(os.path.join("a","b","/c","d"), os.path.dirname("/x/y/z.py"), os.path.splitext("a/b.tar.gz"), os.path.basename("/x/y"), os.path.normpath("/a/../b/./c"))
with open("stdlib_rows.csv") as f:
    for row in csv.DictReader(f): print(row)
with codecs.open("stdlib_rows.csv", "r", "utf-8") as f:
    print(list(csv.reader(f)))
with open("stdlib_data.json") as f: print(json.load(f))
print(json.dumps({"a":[1,2.5,None,True,"é"]}))
print(re.search(r"(\d+)-(\d+)", "x 12-34").groups(), re.match("a","ba"), re.sub(r"(\d)", r"<\1>", "a1b2"))
d = date(2020,2,29)
print(d, d + timedelta(days=1), d.replace(year=2021, day=28), (date(2021,1,1)-d).days, d.weekday(), d < date(2021,1,1), d.isoformat(), d.strftime("%d/%m/%Y"))
print(datetime.datetime.strptime("2020-01-05", "%Y-%m-%d").date())
print(d + relativedelta(years=1), d - relativedelta(months=1), relativedelta(date(2020,3,1), date(1990,6,15)).years)
print(functools.reduce(operator.add, [1,2,3]), functools.partial(max, 3)(5), list(itertools.chain([1],[2,3])))
P = namedtuple("P", "x y"); p = P(1, y=2); print(p, p.x, tuple(p), p._replace(x=5))
dd = defaultdict(list); dd["a"].append(1); print(dict(dd)); print(Counter("abca").most_common(1))
print(copy.deepcopy({"a":[1,{"b":2}]}), fractions.Fraction(1,3)+fractions.Fraction(1,6), fractions.Fraction("0.25"))
print(math.floor(2.7), math.sqrt(16), math.inf)
@functools.cache
def f(x): 
    print("called"); return x*2
print(f(2), f(2))
@functools.lru_cache(maxsize=None)
def g(x): return x+1
print(g(1))
print(pathlib.Path("/a") / "b.txt", pathlib.Path("stdlib_rows.csv").read_text()[:3], pathlib.Path("/x/y.tar").suffix)
@dataclasses.dataclass
class D:
    x: int
    y: int = 3
print(D(1), D(1)==D(1,3))
print(textwrap.dedent("  a\n    b"))
try:
    open("no/such/file")
except FileNotFoundError as e: print("refused")
