"""The work of the notebook here and with OpenFisca-Core, in one run: PYTHON compare.py [PERSONS]

PYTHON has edict, and openfisca-core with openfisca-country-template. The figures have to be equal; the table has seconds on the clock, of one process each, the
first time that something is asked and the second.
"""

from __future__ import annotations

import sys
import time
from typing import Any, Callable, List, Tuple

import numpy as np

PERIOD = "2017-01"
SITUATION = {
    "persons": {"ann": {"salary": {PERIOD: 2500}, "birth": {"ETERNITY": "1980-01-01"}}, "bob": {"salary": {PERIOD: 1200}, "birth": {"ETERNITY": "1982-05-01"}}},
    "households": {"h": {"adults": ["ann", "bob"], "rent": {PERIOD: 800}, "accommodation_size": {PERIOD: 60}}},
}
POINTS = 200


def timed(work: Callable[[], Any]) -> Tuple[Any, float]:
    begin = time.perf_counter()
    return work(), time.perf_counter() - begin


def main() -> int:
    persons = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    rng = np.random.default_rng(1)
    salaries = np.round(rng.uniform(0, 6000, persons), 2)
    rows: List[Tuple[str, float, float]] = []
    different = 0

    def import_theirs() -> Any:
        from openfisca_country_template import CountryTaxBenefitSystem

        return CountryTaxBenefitSystem()

    system, theirs_load = timed(import_theirs)
    import openfisca_country_template
    from openfisca_core.simulation_builder import SimulationBuilder

    import edict_client

    directory = openfisca_country_template.__path__[0]
    law, ours_load = timed(lambda: edict_client.Law(directory, dialect="numpy2"))
    rows.append(("load the law", ours_load, theirs_load))

    def pair(name: str, ours: Callable[[], Any], theirs: Callable[[], Any]) -> None:
        nonlocal different
        for turn in ("first", "again"):
            mine, mine_took = timed(ours)
            other, other_took = timed(theirs)
            rows.append((f"{name}, {turn}", mine_took, other_took))
            mine, other = np.asarray(mine, dtype=np.float32).ravel(), np.asarray(other, dtype=np.float32).ravel()
            if mine.shape != other.shape or not np.array_equal(mine, other):
                different += 1
                print(f"{name}: {np.sum(mine != other) if mine.shape == other.shape else (mine.shape, other.shape)} differ", file=sys.stderr)

    def build(situation: Any) -> Any:
        return SimulationBuilder().build_from_entities(system, situation)

    pair(
        "a household",
        lambda: edict_client.Simulation(law, SITUATION).calculate("disposable_income", PERIOD),
        lambda: build(SITUATION).calculate("disposable_income", PERIOD),
    )
    axis = {"axes": [[{"name": "salary", "min": 0, "max": 6000, "count": POINTS, "period": PERIOD}]]}
    pair(
        f"a curve of {POINTS} points",
        lambda: law.curve(SITUATION, "disposable_income", PERIOD, along="salary", min=0, max=6000, count=POINTS)["disposable_income"],
        lambda: build({**SITUATION, **axis}).calculate("disposable_income", PERIOD),
    )

    import pandas as pd

    frame = pd.DataFrame({"person_id": np.arange(persons), "household_id": np.arange(persons) // 2, "salary": salaries})

    def their_population() -> Any:
        builder = SimulationBuilder()
        builder.create_entities(system)
        builder.declare_person_entity("person", frame["person_id"].to_numpy())
        groups = builder.declare_entity("household", np.unique(frame["household_id"]))
        builder.join_with_persons(groups, frame["household_id"].to_numpy(), roles=np.array(["adult"] * persons))
        simulation = builder.build(system)
        simulation.set_input("salary", PERIOD, frame["salary"].to_numpy())
        return simulation.calculate("disposable_income", PERIOD)

    pair(
        f"a population of {persons} persons",
        lambda: law.population(frame, "disposable_income", PERIOD, equivalence="none", income="disposable_income", progress=False).frame["disposable_income"],
        their_population,
    )
    law.close()
    print(f"{'':36}{'edict, s':>10}{'OpenFisca-Core, s':>20}{'ratio':>8}")
    for name, ours, theirs in rows:
        print(f"{name:36}{ours:10.4f}{theirs:20.4f}{theirs / ours:8.1f}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
