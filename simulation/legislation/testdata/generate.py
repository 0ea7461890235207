"""Records what OpenFisca-Core answers to questions about YAML, parameters and scales.

Run with a Python that has openfisca-core 44.6 installed:  python generate.py > answers.json
"""
import json
import random
import os

import numpy
import yaml
from openfisca_core import periods
from openfisca_core.parameters import ParameterNode, Parameter, ParameterAtInstant, ParameterNodeAtInstant, VectorialParameterNodeAtInstant
from openfisca_core.parameters import config
from openfisca_core.indexed_enums import Enum, EnumArray
from openfisca_core.taxscales import MarginalRateTaxScale, LinearAverageRateTaxScale, MarginalAmountTaxScale, SingleAmountTaxScale

numpy.seterr(all="ignore")
rng = random.Random(20261115)
here = os.path.dirname(os.path.abspath(__file__))
out = {}


def number(x):
    x = x.item() if hasattr(x, "item") else x
    if isinstance(x, float) and (x != x or x in (float("inf"), float("-inf"))):
        return repr(x)
    return x


def typed(x):
    if isinstance(x, list):
        return ["list", [typed(i) for i in x]]
    if isinstance(x, float):
        return ["float", number(x)]
    return [type(x).__name__, x]


def array(a):
    return [a.dtype.kind + str(a.dtype.itemsize) if a.dtype.kind != "U" else "U", [number(i) for i in a]]


def attempt(f):
    try:
        return f()
    except Exception as error:
        return ["error", type(error).__name__]


SCALARS = """0 1 -1 +1 12 1_000 1__0 _1 010 0o10 08 0b101 0b2 0x1F 0xG 1:30 1:60 190:20:30 190:20:30.15 01:10 1.5 -1.5 +1.5 1. .5 -.5 +.5 ._5
1.5e3 1.5e+3 1.5E-3 1e6 1e+6 1.e+3 .5e+3 .inf -.inf +.inf .Inf .INF .nan .NaN .NAN -.nan inf nan yes Yes YES yEs no on Off true True TRUE tRUE false y n
null Null NULL nULL ~ 2015-01-01 2015-1-1 2015-01 2015 12_34.5_6 1_000.25 0.1 00.1 0_1 0_ 1_ - + . -- 1,000 1.2.3 9223372036854775807 hello é 5% 10:99""".split()
out["scalars"] = [[s, attempt(lambda: typed(yaml.load("- " + s, Loader=config.Loader)[0]))] for s in SCALARS]

tree = ParameterNode("", directory_path=os.path.join(here, "parameters"))


def flatten(node, path=""):
    rows = {}
    for name, child in node._children.items():
        full = f"{path}.{name}" if path else name
        if isinstance(child, ParameterNodeAtInstant):
            rows.update(flatten(child, full))
        elif hasattr(child, "thresholds"):
            values = child.rates if hasattr(child, "rates") else child.amounts
            rows[full] = [type(child).__name__, [typed(t) for t in child.thresholds], [typed(v) for v in values]]
        else:
            rows[full] = typed(child)
    return rows


out["instants"] = {day: flatten(tree.get_at_instant(day)) for day in
                   ["2009-12-31", "2010-01-01", "2012-01-01", "2012-06-15", "2014-01-01", "2015-12-31", "2016-01-01", "2018-07-01", "2020-02-29", "2040-01-01"]}


class Zone(Enum):
    z1 = "one"
    z2 = "two"


class Housing(Enum):
    owner = "o"
    tenant = "t"


def zones(codes):
    return EnumArray(numpy.array(codes, dtype=numpy.int16), Zone)


def housings(codes):
    return EnumArray(numpy.array(codes, dtype=numpy.int16), Housing)


at = tree.get_at_instant("2015-01-01")
h, b = at.taxes.housing, at.benefits
out["indexed"] = {
    "strings": attempt(lambda: array(h.zones[numpy.array(["z1", "z2", "z1"])].owner.one)),
    "strings floats": attempt(lambda: array(h.zones[numpy.array(["z1", "z2", "z1"])].tenant.two)),
    "enums": attempt(lambda: array(h.zones[zones([1, 0])].owner.one)),
    "chained": attempt(lambda: array(h.zones[zones([1, 0, 1])][housings([0, 1, 1])].two)),
    "chained strings": attempt(lambda: array(h.zones[numpy.array(["z1", "z2"])][numpy.array(["tenant", "owner"])]["one"])),
    "missing": attempt(lambda: array(h.zones[numpy.array(["z3"])].owner.one)),
    "missing field": attempt(lambda: array(h.zones[numpy.array(["z1"])].nobody)),
    "bad code": attempt(lambda: array(h.zones[zones([5])].owner.one)),
    "uneven": attempt(lambda: h.uneven[numpy.array(["z1"])].a),
    "mixed": attempt(lambda: h.mixed[numpy.array(["z1"])].a),
    "scale": attempt(lambda: at.taxes[numpy.array(["scale"])]),
    "ints": attempt(lambda: array(b.per_child[numpy.array([1, 2, 2])])),
    "ints floats": attempt(lambda: array(b.per_child[numpy.array([1, 3], dtype=numpy.int32)])),
    "int missing": attempt(lambda: array(b.per_child[numpy.array([7])])),
    "dates": attempt(lambda: array(b.generations[numpy.array(["1940-01-01", "1949-12-31", "1950-01-01", "1955-06-30", "1955-07-01", "1960-01-01", "1999-01-01"], dtype="datetime64[D]")])),
    "floats": attempt(lambda: array(b.per_child[numpy.array([1.0])])),
}


def history(p):
    return [[v.instant_str, typed(v.value)] for v in p.values_list]


def updates():
    rows = []
    for _ in range(60):
        data = {f"{rng.randint(2000, 2020)}-{rng.randint(1, 12):02d}-01": rng.choice([1, 2.5, None, 7]) for _ in range(rng.randint(1, 5))}
        p = Parameter("p", data)
        steps = []
        for _ in range(rng.randint(1, 3)):
            a = f"{rng.randint(1998, 2022)}-{rng.randint(1, 12):02d}-{rng.choice([1, 1, 15]):02d}"
            stop = None if rng.random() < 0.4 else f"{rng.randint(2010, 2024)}-{rng.randint(1, 12):02d}-{rng.choice([1, 28]):02d}"
            value = rng.choice([100, 200.5, None])
            p.update(start=periods.instant(a), stop=stop and periods.instant(stop), value=value)
            steps.append([a, stop, value])
        rows.append({"data": data, "steps": steps, "history": history(p)})
    return rows


out["updates"] = updates()

KINDS = {"rate": MarginalRateTaxScale, "average": LinearAverageRateTaxScale, "amount": MarginalAmountTaxScale, "single": SingleAmountTaxScale}
BASES = [-50.0, 0.0, 0.01, 99.99, 100.0, 999.999, 1000.0, 1000.01, 2500.5, 4000.0, 12345.678, 1e6, 1e9, 33333.33]


def scale_data():
    n = rng.randint(1, 10)
    thresholds = [0] if rng.random() < 0.8 else []
    while len(thresholds) < n:
        thresholds.append(rng.choice([rng.randint(1, 20000), round(rng.uniform(1, 20000), 2), 100, 1000]))
    return [[t, rng.choice([round(rng.uniform(0, 0.6), 3), 0.1, 0])] for t in thresholds]


def parts(s):
    return [[typed(t) for t in s.thresholds], [typed(v) for v in (s.rates if hasattr(s, "rates") else s.amounts)]]


def build(kind, brackets):
    s = KINDS[kind]()
    for t, v in brackets:
        s.add_bracket(t, v)
    return s


def scales():
    rows = []
    for i in range(120):
        kind = rng.choice(["rate", "rate", "rate", "average", "amount", "single"])
        brackets = scale_data()
        if kind in ("amount", "single") and rng.random() < 0.5:
            brackets = [[t, int(v * 1000)] for t, v in brackets]
        s = build(kind, brackets)
        dtype = rng.choice(["float32", "float64", "int32"])
        base = numpy.array(BASES, dtype="float64").astype(dtype)
        row = {"kind": kind, "brackets": brackets, "dtype": dtype, "sorted": parts(s)}
        if kind == "rate":
            factor = rng.choice([1.0, 2, 1.5, 0.0])
            decimals = rng.choice([None, 0, 2])
            other = scale_data()
            row.update(
                factor=factor, decimals=decimals, other=other,
                calc=attempt(lambda: array(s.calc(base, factor=factor, round_base_decimals=decimals))),
                factors=attempt(lambda: array(s.calc(base, factor=base / 1000))),
                indices=attempt(lambda: array(s.bracket_indices(base, factor))),
                rates=attempt(lambda: array(s.marginal_rates(base, factor, decimals))),
                from_base=attempt(lambda: array(s.rate_from_tax_base(base))),
                threshold=attempt(lambda: array(s.threshold_from_tax_base(base))),
                inverse=attempt(lambda: parts(s.inverse())),
                average=attempt(lambda: parts(s.to_average())),
                multiplied=attempt(lambda: parts(s.copy().multiply_thresholds(3.3, decimals=decimals).multiply_rates(0.5))),
                combined=attempt(lambda: parts(combine(s.copy(), build("rate", other)))),
            )
        elif kind == "average":
            row.update(calc=attempt(lambda: array(s.calc(base))), marginal=attempt(lambda: parts(s.to_marginal())))
        elif kind == "single":
            row.update(calc=attempt(lambda: array(s.calc(base))), right=attempt(lambda: array(s.calc(base, right=True))))
        else:
            row.update(calc=attempt(lambda: array(s.calc(base))))
        rows.append(row)
    return rows


def combine(a, b):
    a.add_tax_scale(b)
    return a


out["bases"] = BASES
out["scales"] = scales()
print(json.dumps(out, separators=(",", ":"), ensure_ascii=False))
