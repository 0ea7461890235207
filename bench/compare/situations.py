"""Random but plausible situations for any OpenFisca country package, one JSON object per line.

    python situations.py --country openfisca_country_template --count 500 --seed 1 --year 2022 > situations.jsonl

Everything is drawn from the loaded tax and benefit system: entities and roles give the households, value types, names
and periods of the variables give the inputs. The same package, seed and options give the same file. README.md
describes the format.
"""

import argparse
import datetime
import json
import logging
import random
import re
import sys

from openfisca_core.indexed_enums import Enum
from openfisca_core.scripts import build_tax_benefit_system
from openfisca_core.simulation_builder import SimulationBuilder

CHILD = re.compile(r"child|enfant|charge|infant|fill|menor|descend|hijo|kid|子|児", re.IGNORECASE)
AGE = re.compile(r"(^|_)(age|edad|edat)($|_)|年齢", re.IGNORECASE)
BIRTH = re.compile(r"birth|naissance|naix|nacim|誕生|生年", re.IGNORECASE)
COUNT = re.compile(r"(^|_)(nb|nombre|number|num|count|数)", re.IGNORECASE)

OUTPUTS_PER_SITUATION = 12
INPUTS_PER_SITUATION = 18
OVERRIDE_CHANCE = 0.2  # a computed variable given as an input
FAILURE_CHANCE = 0.03  # an output that fails on defaults, to compare the errors
READ_CHANCE = 0.8  # a parameter that is changed is one that the outputs are known to read
NEUTRALIZE_CHANCE = 0.15


class Generator:
    """Draws situations from one system. All randomness comes from its own seeded source."""

    def __init__(self, system, seed, years, always, most):
        self.system = system
        self.random = random.Random(seed)
        self.years = years
        self.year = years[-1]
        self.always = [system.get_variable(name, check_existence=True) for name in always]
        self.person = next(e for e in system.entities if e.is_person)
        self.groups = [e for e in system.entities if not e.is_person]
        variables = sorted(system.variables.values(), key=lambda v: v.name)
        self.computed = [v for v in variables if len(v.formulas) > 0 and not v.is_neutralized]
        if 0 < most < len(self.computed):
            drawn = self.random.sample(self.computed, most)
            asked = [v for v in self.always if v in self.computed and v not in drawn]
            self.computed = sorted(drawn + asked, key=lambda v: v.name)
        self.inputs = [v for v in variables if len(v.formulas) == 0 and self.can_be_drawn(v)]
        self.read, self.failing = self.explore()
        self.computed = [v for v in self.computed if v.name not in self.failing]
        if not self.computed:
            raise SystemExit("the package has no variable with a formula that works on defaults: nothing to compare")

    def can_be_drawn(self, variable):
        """Texts are left at their defaults: nothing says which ones a package would understand."""
        return variable.value_type != str

    def explore(self):
        """Compute each variable for three persons at their defaults, in the first and the last year.

        Returns the inputs that were read, which are the ones worth varying, and the variables that failed.
        """
        read, failing = set(), set()
        self.parameters_read = {}  # by variable
        for year in sorted({self.years[0], self.years[-1]}):
            self.year = year
            for variable in self.computed:
                simulation = SimulationBuilder().build_default_simulation(self.system, 3)
                simulation.trace = True
                try:
                    simulation.calculate(variable.name, self.asked_for(variable))
                except Exception:  # whatever a package raises
                    failing.add(variable.name)
                trace = simulation.tracer.get_flat_trace()
                read.update(key.split("<")[0] for key in trace)
                names = {key.split("<")[0] for step in trace.values() for key in step["parameters"]}
                self.parameters_read.setdefault(variable.name, set()).update(names)
        return sorted(read & {v.name for v in self.inputs}), sorted(failing)

    def situation(self, number):
        self.year = self.years[number % len(self.years)]
        adults = self.random.choice([1, 1, 2, 2, 2, 3])
        children = self.random.choice([0, 0, 1, 2, 2, 3, 4])
        people = [("adult%d" % (i + 1), False) for i in range(adults)] + [("child%d" % (i + 1), True) for i in range(children)]
        situation = {self.person.plural: {name: {} for name, _ in people}}
        for group in self.groups:
            situation[group.plural] = self.partition(group, people)
        self.add_inputs(situation, dict(people))
        return {"id": "s%05d" % number, "situation": situation, "outputs": self.outputs()}

    def partition(self, group, people):
        """Most often everyone in one group; sometimes one adult apart."""
        adults = [p for p in people if not p[1]]
        apart = [adults[-1]] if len(adults) > 1 and self.random.random() < 0.2 else []
        together = [p for p in people if p not in apart]
        groups = {}
        for index, members in enumerate([m for m in (together, apart) if m]):
            groups["%s%d" % (group.key, index + 1)] = self.roles(group, members)
        return groups

    def roles(self, group, members):
        filled = {}
        for name, is_child in members:
            role = self.role(group, filled, is_child)
            filled.setdefault(role.plural or role.key, []).append(name)
        return filled

    def role(self, group, filled, is_child):
        free = [r for r in group.roles if r.max is None or len(filled.get(r.plural or r.key, [])) < r.max]
        wanted = [r for r in free if bool(CHILD.search(r.key)) == is_child]
        if is_child:
            return (wanted or free)[-1]
        return (wanted or free)[0]

    def add_inputs(self, situation, people):
        chosen = set(self.births())
        pool = self.read or [v.name for v in self.inputs]
        chosen.update(self.random.sample(pool, min(len(pool), self.random.randint(3, INPUTS_PER_SITUATION))))
        if self.inputs and self.random.random() < 0.5:
            chosen.add(self.random.choice(self.inputs).name)
        if self.random.random() < OVERRIDE_CHANCE:
            candidates = [v for v in self.computed if v.value_type in (float, bool) and v.definition_period != "eternity"]
            if candidates:
                chosen.add(self.random.choice(candidates).name)
        for name in sorted(chosen):
            self.add_input(situation, people, self.system.get_variable(name))

    def births(self):
        return [v.name for v in self.inputs if v.value_type == datetime.date and v.entity.is_person and BIRTH.search(v.name)]

    def add_input(self, situation, people, variable):
        periods = [self.input_period(variable)]
        if variable.set_input is not None and self.random.random() < 0.4:
            periods.append(str(self.year - self.random.choice([1, 2, 2])))
        for name, members in situation[variable.entity.plural].items():
            if self.random.random() < 0.85 or BIRTH.search(variable.name):
                members[variable.name] = {p: self.value(variable, people.get(name, False), p) for p in periods}

    def input_period(self, variable):
        """The variable's own period, or a whole year when it knows how to spread one."""
        if variable.set_input is not None and self.random.random() < 0.6:
            return str(self.year)
        return self.period_for(variable)

    def period_for(self, variable):
        month = "%d-%02d" % (self.year, self.random.randint(1, 12))
        unit = str(variable.definition_period)
        if unit == "eternity":
            return "ETERNITY"
        if unit == "year":
            return str(self.year)
        if unit == "month":
            return month
        if unit == "day":
            return "%s-%02d" % (month, self.random.randint(1, 28))
        week = "%d-W%02d" % (self.year, self.random.randint(1, 52))
        return week if unit == "week" else "%s-%d" % (week, self.random.randint(1, 7))

    def value(self, variable, is_child, period):
        if variable.value_type == Enum:
            return self.random.choice(list(variable.possible_values)).name
        if variable.value_type == bool:
            return self.random.random() < 0.25
        if variable.value_type == datetime.date:
            return self.date(variable, is_child)
        if variable.value_type == int:
            return self.whole(variable, is_child)
        yearly = len(period) == 4
        amount = self.random.choice([0, 1, 1, 2, 4, 10]) * self.random.uniform(0, 900)
        return round(amount * (12 if yearly else 1), 2)

    def whole(self, variable, is_child):
        if AGE.search(variable.name):
            return self.random.randint(0, 19) if is_child else self.random.randint(18, 90)
        if COUNT.search(variable.name):
            return self.random.randint(0, 4)
        return self.random.choice([0, 1, 2, 3, 12, 40, 1000, 20000])

    def date(self, variable, is_child):
        if BIRTH.search(variable.name):
            age = self.random.randint(0, 19) if is_child else self.random.randint(18, 90)
            year = self.year - age
        else:
            year = self.year - self.random.randint(0, 12)
        return "%04d-%02d-%02d" % (year, self.random.randint(1, 12), self.random.randint(1, 28))

    def asked_for(self, variable):
        """The period on which a variable is computed: formulas of what never changes need a date too."""
        return str(self.year) if variable.definition_period == "eternity" else self.period_for(variable)

    def outputs(self):
        """Variables to compute, in this order: spirals make the order observable, so it is part of the case."""
        chosen = self.random.sample(self.computed, min(len(self.computed), OUTPUTS_PER_SITUATION))
        if self.failing and self.random.random() < FAILURE_CHANCE:
            chosen.append(self.system.get_variable(self.random.choice(self.failing)))
        return [[v.name, self.asked_for(v)] for v in self.always + [v for v in chosen if v not in self.always]]


class Reforms:
    """Draws reforms that are written as data: random parameters get random values on random days."""

    def __init__(self, generator):
        self.generator = generator
        self.random = random.Random(generator.random.random())
        self.leaves = list(leaves(generator.system.parameters, ""))

    def reform(self, situations):
        """One for these situations: mostly of parameters that what they ask for reads, in their years."""
        names = {name for s in situations for output, _ in s["outputs"] for name in self.generator.parameters_read.get(output, ())}
        read = [leaf for leaf in self.leaves if leaf[0].startswith(tuple(names))]
        last = max(int(when[:4]) for s in situations for _, when in s["outputs"])
        parameters = {}
        for _ in range(self.random.choice([1, 1, 1, 2, 3, 8])):
            path, parameter = self.random.choice(read if read and self.random.random() < READ_CHANCE else self.leaves)
            known = [v for v in parameter.values_list if v.value is not None]
            days = {}
            for _ in range(self.random.choice([1, 1, 1, 2])):
                days[self.days(known[-1].instant_str, last)] = self.value(self.random.choice(known).value)
            parameters[path] = days
        reform = {"parameters": parameters}
        if self.random.random() < NEUTRALIZE_CHANCE:
            reform["neutralize"] = [self.random.choice(self.generator.computed).name]
        return reform

    def days(self, first, last):
        """A day from the parameter's first on, in a year up to the last or some before, alone or with a last day."""
        first = (first + "-01-01")[:10]
        start = self.day(self.random.randint(last - 4, last))
        start = max(start, first)
        if self.random.random() < 0.6:
            return start
        stop = self.day(int(start[:4]) + self.random.randint(0, 3))
        return "%s.%s" % (start, max(start, stop))

    def day(self, year):
        if self.random.random() < 0.5:
            return "%04d-01-01" % year
        return "%04d-%02d-%02d" % (year, self.random.randint(1, 12), self.random.randint(1, 28))

    def value(self, old):
        if isinstance(old, bool):
            return not old
        if isinstance(old, int):
            return self.random.choice([old, old + 1, old * 2, 0, max(old - 1, 0), old * 1.5, old + 0.25])
        if isinstance(old, float):
            return self.random.choice([old * self.random.uniform(0, 2), round(old * 1.1, 4), 0, 1, old])
        return old


def leaves(node, path):
    """The values of a tree, with the paths by which a reform names them."""
    for name, child in node.children.items():
        full = path + "." + name if path else name
        if hasattr(child, "brackets"):
            for i, bracket in enumerate(child.brackets):
                for key, value in bracket.children.items():
                    if usable(value):
                        yield "%s.brackets[%d].%s" % (full, i, key), value
        elif hasattr(child, "children"):
            yield from leaves(child, full)
        elif usable(child):
            yield full, child


def usable(parameter):
    """A value that is one number, truth or text, on one day at least."""
    values = [v.value for v in getattr(parameter, "values_list", []) if v.value is not None]
    dated = all(re.fullmatch(r"\d{4}(-\d\d){0,2}", v.instant_str) for v in getattr(parameter, "values_list", []))
    return bool(values) and dated and all(isinstance(v, (bool, int, float, str)) for v in values)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--country", required=True, help="importable name of the country package")
    parser.add_argument("--extension", action="append", default=[], help="importable name of an extension; repeatable")
    parser.add_argument("--reform", action="append", default=[], help="dotted path of a reform class; repeatable")
    parser.add_argument("--output", action="append", default=[], help="a variable to compute first in every situation; repeatable")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--year", default="2022", help="the year of the situations, or a range such as 2013:2025")
    parser.add_argument("--variables", type=int, default=0, help="compute only so many variables, drawn from the seed; 0 for all")
    parser.add_argument("--reforms", type=int, default=0, help="change parameters: one reform for so many situations in a row; 0 for none")
    options = parser.parse_args()

    logging.disable(logging.CRITICAL)
    system = build_tax_benefit_system(options.country, options.extension, options.reform)
    first, _, last = options.year.partition(":")
    generator = Generator(system, options.seed, range(int(first), int(last or first) + 1), options.output, options.variables)
    reforms = Reforms(generator) if options.reforms else None
    at_once = options.reforms or 1
    for number in range(0, options.count, at_once):
        situations = [generator.situation(n) for n in range(number, min(number + at_once, options.count))]
        reform = reforms and reforms.reform(situations)
        for situation in situations:
            if reform:
                situation["reform"] = reform
            json.dump(situation, sys.stdout, ensure_ascii=False)
            sys.stdout.write("\n")


if __name__ == "__main__":
    main()
