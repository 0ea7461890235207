"""Runs small random legislations on OpenFisca-Core and records every result and every stored value.

Run with a Python that has openfisca-core 44.6 installed:  python generate.py > cases.json

A formula is a tree that both sides interpret, in the same order: see evaluate() here and in recorded_test.go. The law
is that of ../../legislation/testdata/parameters.
"""
import datetime
import json
import os
import random

import numpy
from openfisca_core import periods
from openfisca_core.entities import Entity, GroupEntity
from openfisca_core.holders import set_input_dispatch_by_period, set_input_divide_by_period
from openfisca_core.indexed_enums import Enum, EnumArray
from openfisca_core.parameters import ParameterNode
from openfisca_core.periods import DateUnit
from openfisca_core.populations import ADD, DIVIDE
from openfisca_core.simulations import Simulation
from openfisca_core.taxbenefitsystems import TaxBenefitSystem
from openfisca_core.variables import Variable, config as value_config

numpy.seterr(all="ignore")
here = os.path.dirname(os.path.abspath(__file__))
LAW = ParameterNode("", directory_path=os.path.join(here, "../../legislation/testdata/parameters"))


class Zone(Enum):
    z1 = "one"
    z2 = "two"


def entities():
    return [
        Entity("person", "persons", "", ""),
        GroupEntity("family", "families", "", "", [
            {"key": "parent", "plural": "parents", "subroles": ["first_parent", "second_parent"]},
            {"key": "child", "plural": "children"},
        ], containing_entities=("household",)),
        GroupEntity("household", "households", "", "", [{"key": "head", "max": 1}, {"key": "other"}]),
    ]


TYPES = {"float": float, "int": int, "bool": bool, "enum": Enum, "date": datetime.date, "str": str}
UNITS = {"year": DateUnit.YEAR, "month": DateUnit.MONTH, "eternity": DateUnit.ETERNITY, "day": DateUnit.DAY, "week": DateUnit.WEEK}
INPUTS = {"dispatch": set_input_dispatch_by_period, "divide": set_input_divide_by_period}


def move(period, op):
    for step in op.split("."):
        if step == "period":
            continue
        if step.startswith("offset"):
            period = period.offset(int(step[6:]))
        else:
            period = getattr(period, step)
    return period


def evaluate(e, population, period, parameters, system):
    ev = lambda x, p=population: evaluate(x, p, period, parameters, system)
    op = e[0]
    if op == "c":
        return e[1]
    if op == "none":
        return None
    if op == "v":
        _, chain, name, when, how = e
        for step in chain:
            population = getattr(population, step)
        options = {"": None, "add": [ADD], "divide": [DIVIDE]}[how]
        return population(name, move(period, when), options)
    if op in ("+", "-", "*", "/", "max", "min", ">", "=="):
        a, b = ev(e[1]), ev(e[2])
        return {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: a / b, "max": lambda: numpy.maximum(a, b),
                "min": lambda: numpy.minimum(a, b), ">": lambda: a > b, "==": lambda: a == b}[op]()
    if op == "where":
        return numpy.where(ev(e[1]), ev(e[2]), ev(e[3]))
    if op == "members":
        return ev(e[1], population.members)
    role = lambda key: key and next(r for ent in system.entities if not ent.is_person for top in ent.roles
                                    for r in [top, *(top.subroles or [])] if r.key == key)
    if op == "agg":
        _, chain, f, x, key = e
        target = population
        for step in chain:
            target = getattr(target, step)
        group = target.reference_entity if chain else target
        values = ev(x, group.members)
        return getattr(target, f)(values, role=role(key))
    if op == "nb":
        _, chain, key = e
        for step in chain:
            population = getattr(population, step)
        return population.nb_persons(role(key))
    if op == "has_role":
        _, chain, key = e
        for step in chain:
            population = getattr(population, step)
        return population.has_role(role(key))
    if op == "rank":
        return population.get_rank(getattr(population, e[1]), ev(e[2]), condition=ev(e[3]))
    if op == "from_person":
        return population.value_from_person(ev(e[1], population.members), role(e[2]))
    if op == "nth":
        return population.value_nth_person(e[1], ev(e[2], population.members), default=e[3])
    if op == "project":
        group = population.simulation.populations[e[1]]
        return group.project(ev(e[2], group), role=role(e[3]))
    if op == "partner":
        return population.value_from_partner(ev(e[1]), population.family, role("parent"))
    if op == "p":
        node = parameters(period)
        for step in e[1].split("."):
            node = getattr(node, step)
        return node
    if op == "scale":
        node = parameters(period)
        for step in e[1].split("."):
            node = getattr(node, step)
        return node.calc(ev(e[2]))
    if op == "known":
        return population.empty_array() + len(population.get_holder(e[1]).get_known_periods())
    if op == "enum":
        return numpy.where(ev(e[1]), Zone.z2, Zone.z1)
    if op == "is":
        return ev(e[1]) == Zone.z2
    if op == "clone":
        clone = population.simulation.clone()
        if e[4]:
            clone.delete_arrays(e[1], period)
        clone.set_input(e[1], period, population.filled_array(e[2], dtype=numpy.float32))
        return clone.calculate(e[3], period)
    if op == "year":
        return ev(e[1]).astype("datetime64[Y]").astype(int) + 1970
    raise Exception(op)


def make_formula(e, system):
    def formula(population, period, parameters):
        return evaluate(e, population, period, parameters, system)
    return formula


def make_system(variables):
    system = TaxBenefitSystem(entities())
    system.parameters = LAW
    system.get_package_metadata = lambda: {"name": "test", "version": "1"}
    by_key = {e.key: e for e in system.entities}
    for v in variables:
        attrs = {"value_type": TYPES[v["type"]], "entity": by_key[v["entity"]], "definition_period": UNITS[v["unit"]]}
        if v["type"] == "enum":
            attrs.update(possible_values=Zone, default_value=Zone.z1)
        elif "default" in v:
            attrs["default_value"] = datetime.date.fromisoformat(v["default"]) if v["type"] == "date" else v["default"]
        for key in ("end", "max_length"):
            if key in v:
                attrs[key] = v[key]
        if "set_input" in v:
            attrs["set_input"] = INPUTS[v["set_input"]]
        for name, e in v.get("formulas", {}).items():
            attrs[name] = make_formula(e, system)
        system.add_variable(type(v["name"], (Variable,), attrs))
    for v in variables:
        if v.get("neutralized"):
            system.neutralize_variable(v["name"])
    return system


def show(a):
    if a is None:
        return None
    if isinstance(a, EnumArray):
        return ["enum", a.decode_to_str().tolist()]
    kind = a.dtype.kind
    if kind == "M":
        return ["date", [str(d) for d in a.astype("datetime64[D]")]]
    if kind == "S":
        return ["bytes", [b.decode() for b in a]]
    if kind == "O":
        return ["str", [str(x) for x in a]]
    name = {"f4": "float32", "f8": "float64", "i4": "int32", "i8": "int64", "b1": "bool", "i2": "int16"}[kind + str(a.dtype.itemsize)]
    return [name, [repr(x) if kind == "f" and not numpy.isfinite(x) else x for x in a.tolist()]]


def run(case):
    wide = case.get("wide", False)
    value_config.VALUE_TYPES[float]["dtype"] = numpy.float64 if wide else numpy.float32
    value_config.VALUE_TYPES[int]["dtype"] = numpy.int64 if wide else numpy.int32
    system = make_system(case["variables"])
    simulation = Simulation(system, system.instantiate_entities())
    simulation.max_spiral_loops = case.get("loops", 1)
    simulation.persons.count = case["persons"]
    simulation.persons.ids = [str(i) for i in range(case["persons"])]
    for key, g in case["groups"].items():
        population = simulation.populations[key]
        population.count = g["count"]
        population.ids = [str(i) for i in range(g["count"])]
        population.members_entity_id = numpy.array(g["of"])
        roles = {r.key: r for r in population.entity.flattened_roles}
        population.members_role = numpy.array([roles[k] for k in g["roles"]])
    answers = []
    for step in case["steps"]:
        try:
            if step[0] == "set":
                values = step[3]
                array = numpy.array(values, dtype="datetime64[D]") if isinstance(values[0], str) and values[0][:4].isdigit() else numpy.array(values)
                if all(isinstance(v, float) for v in values):
                    array = array.astype(numpy.float32)
                simulation.set_input(step[1], step[2], array)
                answers.append("ok")
            elif step[0] == "delete":
                simulation.delete_arrays(step[1], step[2])
                answers.append("ok")
            else:
                f = {"calculate": simulation.calculate, "add": simulation.calculate_add, "divide": simulation.calculate_divide}[step[0]]
                answers.append(show(f(step[1], step[2])))
        except Exception as error:
            answers.append(["error", type(error).__name__])
    stored = {}
    for population in simulation.populations.values():
        for name, holder in population._holders.items():
            rows = [[str(p), *show(holder._memory_storage.get(p))] for p in holder.get_known_periods()]
            if rows:
                stored[name] = rows
    case["answers"], case["stored"] = answers, stored
    return case


def situation(rng, n=None):
    n = n or rng.randint(1, 7)
    def groups(count, roles_of):
        of = [rng.randrange(count) for _ in range(n)]
        present = sorted(set(of))
        of = [present.index(g) for g in of]
        taken, roles = {}, []
        for g in of:
            free = [r for r in roles_of if not (r in UNIQUE and r in taken.setdefault(g, []))]
            role = rng.choice(free)
            taken.setdefault(g, []).append(role)
            roles.append(role)
        return {"count": len(present), "of": of, "roles": roles}
    UNIQUE = {"first_parent", "second_parent", "head"}
    return n, {"family": groups(rng.randint(1, 3), ["first_parent", "second_parent", "child"]), "household": groups(rng.randint(1, 2), ["head", "other"])}


WHEN = {  # (unit of the formula, unit of the variable asked for) -> ways to ask
    ("month", "month"): [("period", ""), ("last_month", ""), ("offset-2", ""), ("offset1", ""), ("this_year.first_month", ""), ("last_3_months", "add"), ("n_2.first_month", "")],
    ("month", "year"): [("this_year", ""), ("last_year", ""), ("n_2", ""), ("period", "divide")],
    ("year", "month"): [("first_month", ""), ("period", "add"), ("last_month", ""), ("last_3_months", "add")],
    ("year", "year"): [("period", ""), ("last_year", ""), ("offset1", ""), ("n_2", "")],
    ("month", "day"): [("first_day", ""), ("period", "add")], ("month", "week"): [("first_week", ""), ("period", "add")],
    ("year", "day"): [("first_day", ""), ("first_month", "add")], ("year", "week"): [("first_week", ""), ("period", "add")],
    ("week", "week"): [("period", ""), ("last_week", ""), ("offset-2", "")], ("week", "day"): [("first_day", ""), ("period", "add")],
    ("week", "month"): [("first_month", "")], ("week", "year"): [("this_year", ""), ("period", "divide")],
    ("day", "day"): [("period", ""), ("offset-1", "")], ("day", "week"): [("first_week", "")],
    ("day", "month"): [("first_month", ""), ("period", "divide")], ("day", "year"): [("last_year", ""), ("period", "divide")],
}


OWN = {"year": ["2014", "2013", "2015"], "week": ["2014-W06", "2014-W07"], "day": ["2014-02-01", "2014-02-02"], "eternity": ["eternity", "2014-02"]}


def expression(rng, entity, unit, variables, depth):
    def same(v):
        return v["entity"] == entity
    def call(v, chain):
        when, how = rng.choice(WHEN[unit, v["unit"]]) if v["unit"] != "eternity" else ("period", "")
        return ["v", chain, v["name"], when, how]
    ask = lambda ent, chain: call(rng.choice([v for v in variables if v["entity"] == ent]), chain)
    roll = rng.random()
    if depth <= 0 or roll < 0.35:
        if roll < 0.05:
            return ["*", ask(entity, []), ["c", rng.choice([0.5, 2, 3.25])]]
        if entity == "person" and roll < 0.15:
            group = rng.choice(["family", "household"])
            return ask(group, [group])
        if entity == "family" and roll < 0.12:
            return rng.choice([ask("person", ["first_parent"]), ask("person", ["first_person"]), ask("household", ["household"])])
        return ask(entity, [])
    sub = lambda ent=entity: expression(rng, ent, unit, variables, depth - 1)
    if entity != "person" and roll < 0.55:
        role = rng.choice([None, "child", "parent", "first_parent"] if entity == "family" else [None, "head", "other"])
        f = rng.choice(["sum", "sum", "sum", "max", "min", "any", "all"])
        return ["agg", [], f, sub("person"), role]
    if roll < 0.6:
        return ["known", rng.choice([v for v in variables if same(v)])["name"]]
    own = [v for v in variables if same(v) and v["unit"] == unit and v["type"] == "float"]
    if roll < 0.62 and own:
        return ["clone", rng.choice(own)["name"], rng.choice([1.5, 300.0]), rng.choice(own)["name"], rng.choice([True, False])]
    if roll < 0.65:
        return ["scale", "taxes.scale", ["+", sub(), ["c", 0.0]]]
    if roll < 0.7:
        return ["where", [">", sub(), ["c", rng.choice([0, 10, 100])]], sub(), sub()]
    if roll < 0.74:
        return ["+", ["p", "taxes.short"], sub()]
    return [rng.choice(["+", "+", "+", "*", "max", "min"]), sub(), sub()]


def random_case(seed):
    rng = random.Random(seed)
    variables = []
    for i in range(rng.randint(4, 9)):
        entity = "person" if i < 2 else rng.choice(["person", "person", "family", "household"])
        variables.append({"name": f"v{i}", "type": rng.choice(["float", "float", "float", "int", "bool"]), "entity": entity, "unit": rng.choice(["month"] * 6 + ["year"] * 3 + ["week", "day", "eternity"])})
    for i, e in enumerate(["family", "household"]):
        variables.append({"name": f"w{i}", "type": "float", "entity": e, "unit": "month"})
    for v in variables:
        if rng.random() < 0.75 and v["unit"] != "eternity":
            v["formulas"] = {}
            for name in rng.choice([["formula"], ["formula"], ["formula_2013", "formula_2015_03"], ["formula", "formula_2014_02_01"]]):
                v["formulas"][name] = expression(rng, v["entity"], v["unit"], variables, rng.randint(1, 2))
        if rng.random() < 0.15 and v["unit"] != "eternity":
            v["end"] = "2020-05-31" if len(v.get("formulas", {})) == 2 else rng.choice(["2013-12-31", "2020-05-31"])
        if v["type"] != "bool":
            if rng.random() < 0.3:
                v["default"] = rng.choice([7, -3])
            if rng.random() < 0.5:
                v["set_input"] = rng.choice(["dispatch", "divide"])
    n, groups = situation(rng)
    steps = []
    for v in variables:
        if rng.random() < 0.5:
            size = n if v["entity"] == "person" else groups[v["entity"]]["count"]
            when = rng.choice(["2014-01", "2014-02", "2014-03", "month:2014-01:3", "2014"]) if v["unit"] == "month" else rng.choice(OWN[v["unit"]])
            values = [rng.choice([True, False]) if v["type"] == "bool" else rng.choice([float(rng.randint(0, 5000)), round(rng.uniform(-10, 3000), 2)]) for _ in range(size)]
            steps.append(["set", v["name"], when, values])
    for _ in range(rng.randint(2, 5)):
        v = rng.choice(variables)
        how = rng.choice(["calculate"] * 4 + ["add", "divide"])
        when = rng.choice(["2014-02", "2014-03", "2015-03", "2014-01"]) if v["unit"] == "month" else rng.choice(OWN[v["unit"]])
        if how != "calculate":
            when = rng.choice(["2014", "2014-02", "month:2014-01:3", "year:2013:2"])
        steps.append([how, v["name"], when])
        if rng.random() < 0.1:
            steps.append(["delete", v["name"], rng.choice(["2014", "2014-02", None])])
    return {"name": f"random {seed}", "variables": variables, "persons": n, "groups": groups, "loops": rng.choice([1, 1, 1, 2, 3]), "steps": steps}


def fixed_cases():
    """Cases written by hand: one feature each."""
    f = lambda e: {"formula": e}
    pm = lambda name, type="float", **k: {"name": name, "type": type, "entity": "person", "unit": "month", **k}
    groups = {"family": {"count": 3, "of": [0, 1, 0, 1, 0, 2], "roles": ["first_parent", "child", "second_parent", "first_parent", "child", "child"]},
              "household": {"count": 2, "of": [0, 0, 0, 0, 1, 1], "roles": ["head", "other", "other", "other", "head", "other"]}}
    case = lambda name, variables, steps, **k: {"name": name, "variables": variables, "persons": 6, "groups": groups, "steps": steps, **k}
    age = pm("age", "int")
    set_age = ["set", "age", "2014-01", [40, 8, 38, 35, 12, 8]]
    pay = pm("pay", set_input="divide")
    set_pay = ["set", "pay", "2014-01", [2000.0, 0.0, 1500.5, 3000.25, 0.0, 10.0]]
    group = lambda name, entity, e, type="float": {"name": name, "type": type, "entity": entity, "unit": "month", "formulas": f(e)}
    vp, va = ["v", [], "pay", "period", ""], ["v", [], "age", "period", ""]
    aggregates = [group(f"{ent[0]}_{fn}_{role or 'all'}_{src}", ent, ["agg", [], fn, x, role], "bool" if fn in ("any", "all") else "float")
                  for ent, roles in (("family", [None, "parent", "first_parent", "child"]), ("household", [None, "head"]))
                  for role in roles for fn in ("sum", "any", "all", "min", "max") for src, x in (("pay", vp), ("age", va))]
    yield case("aggregations", [age, pay, *aggregates], [set_age, set_pay, *[["calculate", v["name"], "2014-01"] for v in aggregates]])
    counts = [group(f"n_{role or 'all'}", "family", ["nb", [], role]) for role in (None, "parent", "child", "second_parent")]
    yield case("counts", counts, [["calculate", v["name"], "2014-01"] for v in counts])
    roles = [{"name": f"is_{'_'.join(chain)}_{role}", "type": "bool", "entity": ent, "unit": "month", "formulas": f(["has_role", chain, role])}
             for ent, chain, role in (("person", [], "parent"), ("person", [], "second_parent"), ("person", [], "head"), ("person", ["family", "first_parent"], "head"), ("family", ["first_person"], "parent"))]
    yield case("roles", roles, [["calculate", v["name"], "2014-01"] for v in roles])
    places = [
        group("first_parent_pay", "family", ["from_person", vp, "first_parent"]), group("not_unique", "family", ["from_person", vp, "child"]),
        group("second", "family", ["nth", 1, vp, 0]), group("third", "family", ["nth", 2, va, -5], "int"), group("third_pay", "family", ["nth", 2, vp, 7.5]),
        pm("of_family", formulas=f(["v", ["family"], "first_parent_pay", "period", ""])), pm("of_parents", formulas=f(["project", "family", ["v", [], "first_parent_pay", "period", ""], "parent"])),
        pm("partner", formulas=f(["partner", vp])), group("via_role", "family", ["v", ["second_parent"], "pay", "period", ""]),
        group("via_first", "household", ["v", ["first_person"], "pay", "period", ""]), group("household_pay", "household", ["agg", [], "sum", vp, None]),
        group("contained", "family", ["v", ["household"], "household_pay", "period", ""]), pm("chain", formulas=f(["v", ["family", "first_parent", "household"], "household_pay", "period", ""])),
        pm("agg_chain", formulas=f(["agg", ["family"], "sum", vp, "parent"])), pm("nb_chain", "int", formulas=f(["nb", ["family"], "child"])), pm("wrong", formulas=f(["v", [], "household_pay", "period", ""])),
    ]
    yield case("places", [age, pay, *places], [set_age, set_pay, *[["calculate", v["name"], "2014-01"] for v in places]])
    ranks = [pm("rank", "int", formulas=f(["rank", "family", ["*", va, ["c", -1]], ["has_role", [], "child"]])), pm("rank_all", "int", formulas=f(["rank", "household", va, ["c", True]])),
             pm("rank_pay", "int", formulas=f(["rank", "household", vp, [">", va, ["c", 8]]]))]
    yield case("ranks", [age, pay, *ranks], [set_age, set_pay, *[["calculate", v["name"], "2014-01"] for v in ranks]])
    yield case("dates and enums", [
        {"name": "birth", "type": "date", "entity": "person", "unit": "eternity", "default": "1980-05-06"},
        {"name": "zone", "type": "enum", "entity": "person", "unit": "month", "formulas": f(["enum", [">", ["v", [], "born", "period", ""], ["c", 1990]]])},
        pm("born", "int", formulas=f(["year", ["v", [], "birth", "period", ""]])), pm("in_z2", "bool", formulas=f(["is", ["v", [], "zone", "period", ""]])),
        {"name": "family_zone", "type": "enum", "entity": "family", "unit": "month", "formulas": f(["v", ["second_parent"], "zone", "period", ""])},
        {"name": "given", "type": "enum", "entity": "person", "unit": "month"}, {"name": "text", "type": "str", "entity": "person", "unit": "month"},
        {"name": "short", "type": "str", "max_length": 3, "entity": "person", "unit": "month"},
    ], [["set", "birth", "eternity", ["1980-01-01", "2001-02-03", "1960-12-31", "1999-01-01", "1990-01-01", "1991-06-30"]],
        ["calculate", "zone", "2014-01"], ["calculate", "in_z2", "2014-01"], ["calculate", "family_zone", "2014-01"], ["set", "given", "2014-01", ["z2", "z1", "z1", "z2", "z2", "z1"]],
        ["calculate", "given", "2014-01"], ["calculate", "given", "2014-02"], ["set", "given", "2014-03", ["z9", "z1", "z1", "z2", "z2", "z1"]], ["set", "text", "2014-01", ["a", "bcd", "", "é", "x", "y"]],
        ["calculate", "text", "2014-01"], ["set", "short", "2014-01", ["abcdef", "b", "", "c", "d", "e"]], ["calculate", "short", "2014-01"], ["calculate", "short", "2014-02"], ["calculate", "birth", "2014-01"]])
    yield case("periods", [pay, {"name": "y", "type": "float", "entity": "person", "unit": "year"}, {"name": "e", "type": "int", "entity": "person", "unit": "eternity", "formulas": f(["c", 3])},
                           {"name": "d", "type": "float", "entity": "person", "unit": "day", "set_input": "dispatch", "formulas": f(["c", 1.5])}, {"name": "w", "type": "float", "entity": "person", "unit": "week", "formulas": f(["c", 2])}],
               [["set", "y", "2014", [1200.0] * 6], ["calculate", "y", "2014-01"], ["divide", "y", "2014-01"], ["divide", "y", "2014-01-15"], ["divide", "y", "2016-W03"], ["add", "y", "2014-01"], ["add", "y", "year:2013:3"],
                ["calculate", "pay", "2014"], ["calculate", "pay", "month:2014-01:2"], ["add", "pay", "2014"], ["divide", "pay", "2014-02"], ["divide", "pay", "2014-02-03"], ["add", "e", "2014"], ["divide", "e", "2014-01"],
                ["calculate", "e", "2014-05"], ["calculate", "e", "eternity"], ["set", "pay", "eternity", [1.0] * 6], ["calculate", "d", "2014-01-05"], ["calculate", "d", "2014-01"], ["calculate", "d", "day:2014-01-01:2"],
                ["add", "d", "2014-02"], ["set", "d", "2014-03", [9.0] * 6], ["add", "d", "2014-03"], ["calculate", "w", "2014-W05"], ["calculate", "w", "2014-01"], ["add", "w", "2014"], ["add", "w", "2014-02"], ["divide", "w", "2014-W05-3"], ["calculate", "nobody", "2014"]])
    yield case("inputs", [pm("a", set_input="dispatch"), pm("b", set_input="divide"), pm("c"), pm("i", "int", set_input="divide"), pm("gone", end="2013-12-31", set_input="dispatch"), pm("n", neutralized=True, default=4)],
               [["set", "a", "2014-03", [1.0] * 6], ["set", "a", "2014", [5.0, 6.0, 7.0, 8.0, 9.0, 1.0]], ["set", "b", "2014-03", [100.0] * 6], ["set", "b", "2014", [1200.0, 0.0, 50.5, 1.0, 2.0, 3.0]], ["set", "b", "2014", [1.0] * 6],
                ["set", "b", "2014", [1200.0, 0.0, 50.5, 1.0, 2.0, 3.0]], ["set", "c", "2014", [1.0] * 6], ["set", "c", "2014-01", [1.0] * 5], ["set", "i", "2014", [100, 5, 7, 12, 13, 0]], ["set", "gone", "2014-01", [1.0] * 6],
                ["set", "gone", "2013", [1.0] * 6], ["set", "n", "2014-01", [1.0] * 6], ["calculate", "n", "2014-01"], ["add", "a", "2014"], ["add", "b", "2014"], ["add", "i", "2014"], ["calculate", "gone", "2014-01"], ["calculate", "gone", "2013-02"]])
    m = lambda name, when, how="": ["v", [], name, when, how]
    yield case("cycle", [pm("a", formulas=f(["+", m("b", "period"), ["c", 1]])), pm("b", formulas=f(["+", m("a", "period"), ["c", 1]]))], [["calculate", "a", "2014-01"], ["calculate", "b", "2014-01"]])
    spiral = [pm("a", formulas=f(["+", m("b", "last_month"), ["c", 1]])), pm("b", formulas=f(["+", m("a", "last_month"), ["c", 2]])), pm("c", formulas=f(["+", m("a", "period"), ["+", m("b", "period"), ["known", "a"]]]))]
    for loops in (1, 2, 4):
        yield case(f"spiral with {loops} loops", spiral, [["calculate", "c", "2014-06"], ["calculate", "a", "2014-05"], ["calculate", "c", "2014-06"]], loops=loops)
    yield case("spiral over the year", [{"name": "y", "type": "float", "entity": "person", "unit": "year", "formulas": f(["+", m("m", "period", "add"), ["c", 1]])},
                                        pm("m", formulas=f(["+", m("y", "last_year"), ["+", m("x", "period"), ["c", 3]]])), pm("x", formulas=f(["+", m("m", "last_month"), ["known", "m"]]))],
               [["calculate", "y", "2014"], ["calculate", "m", "2014-02"], ["calculate", "y", "2014"]])
    yield case("dated formulas", [pm("a", end="2016-06-30", formulas={"formula_2013": ["c", 13], "formula_2015_03": ["c", 15.5], "formula_2015_03_02": ["c", 16]})],
               [["calculate", "a", w] for w in ("2012-12", "2013-01", "2015-02", "2015-03", "2015-04", "2016-06", "2016-07")])
    yield case("results", [pm("scalar", formulas=f(["c", 3])), pm("i", "int", formulas=f(["c", 2.9])), pm("neg", "int", formulas=f(["c", -2.9])), pm("b", "bool", formulas=f(["c", 0.5])), pm("none", default=5, formulas=f(["none"])),
                           pm("nan", "int", formulas=f(["/", ["-", vp, vp], ["-", vp, vp]])), pay, pm("wide", formulas=f(["*", vp, ["/", va, ["c", 7]]])), age, pm("short", formulas=f(["agg", ["household"], "sum", vp, None])),
                           {"name": "long", "type": "float", "entity": "family", "unit": "month", "formulas": f(["members", vp])}],
               [set_pay, set_age, *[["calculate", n, "2014-01"] for n in ("scalar", "i", "neg", "b", "none", "nan", "wide", "short", "long")]])


def main():
    cases = [run(c) for c in fixed_cases()]
    seed = 0
    while len(cases) < 190:
        seed += 1
        c = random_case(seed)
        if seed % 10 == 0:
            c["wide"] = True
        c = run(c)
        # Where Python's stack ends is its own affair.
        if "RecursionError" not in json.dumps(c["answers"]) and len(json.dumps(c)) < 4200:
            cases.append(c)
    print("[\n" + ",\n".join(json.dumps(c, separators=(",", ":"), ensure_ascii=False) for c in cases) + "\n]")


main()
