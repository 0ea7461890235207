"""Checks of edict_france that YAML tests cannot say. Needs OpenFisca-Core; prints what it found and fails on a fault.

    PYTHONPATH=countries/france python countries/france/check.py

- random households of every year: no error, no value that is not finite;
- the decomposition adds up: revdisp equals the sum of its leaves, every inner node that is a variable too;
- disposable income never falls by more than the cliffs of the law when a wage rises;
- the suggestions for an incomplete test case.
"""

import copy
import logging
import random
import sys
import xml.etree.ElementTree as ElementTree

import numpy

import edict_france
from edict_france.suggest import suggest
from openfisca_core.simulation_builder import SimulationBuilder

YEARS = range(2013, 2026)
# The largest steps of the law: twelve times the smallest prime d'activité (15 euros), the smallest tax collected (61).
LARGEST_CLIFF = 12 * 15 + 61


def household(source, year):
    adults = ["a", "b"][: source.randint(1, 2)]
    children = ["e%d" % i for i in range(source.choice([0, 0, 1, 2, 3, 5]))]
    people = {name: {"date_naissance": {"ETERNITY": day(source, year - source.randint(18, 90))}} for name in adults}
    people.update({name: {"date_naissance": {"ETERNITY": day(source, year - source.randint(0, 22))}} for name in children})
    for person in people.values():
        person["invalidite"] = {str(year): source.random() < 0.1}
        person["garde_alternee"] = {str(year): source.random() < 0.1}
        for income in ("salaire_imposable", "salaire_de_base", "chomage_imposable", "chomage_brut", "retraite_imposable", "retraite_brute"):
            if source.random() < 0.2:
                person[income] = {str(y): round(source.lognormvariate(9.5, 1), 2) for y in (year, year - 2)}
    housing = source.choice(["proprietaire", "locataire_vide", "loge_gratuitement", "non_renseigne"])
    return {
        "individus": people,
        "familles": {"f": {"parents": adults, "enfants": children, "aide_logement": {str(year): source.choice([0, 2400])}}},
        "foyers_fiscaux": {
            "ff": {
                "declarants": adults,
                "personnes_a_charge": children,
                "caseT": {str(year): source.random() < 0.5},
                "rfr_n_2": {str(year): source.choice([-1, 9000, 14000, 20000, 40000])},
            }
        },
        "menages": {
            "m": {
                "personne_de_reference": adults[:1],
                "conjoint": adults[1:],
                "enfants": children,
                "statut_occupation_logement": {str(year): housing},
            }
        },
    }


def day(source, year):
    return "%04d-%02d-%02d" % (year, source.randint(1, 12), source.randint(1, 28))


def total(simulation, name, year):
    """Sum of a variable over the year and over the members of its entity."""
    return float(simulation.calculate_output(name, str(year)).astype(float).sum())


def check_node(simulation, node, year, faults):
    """The value of a decomposition node; notes every inner node that is not the sum of its children."""
    code = node.get("code")
    if len(node) == 0:
        return total(simulation, code, year)
    value = sum(check_node(simulation, child, year, faults) for child in node)
    if simulation.tax_benefit_system.get_variable(code) is not None:
        expected = total(simulation, code, year)
        if abs(value - expected) > 0.05 + 1e-6 * abs(expected):
            faults.append("%d: %s is %.2f, its parts add up to %.2f" % (year, code, expected, value))
    return value


def check_households(system, count):
    source = random.Random(20261115)
    tree = ElementTree.parse(system.decomposition_file_path).getroot()
    faults = []
    for number in range(count):
        year = YEARS[number % len(YEARS)]
        simulation = SimulationBuilder().build_from_entities(system, household(source, year))
        check_node(simulation, tree, year, faults)
        for population in simulation.populations.values():
            for name, holder in population._holders.items():
                for period in holder.get_known_periods():
                    array = holder.get_array(period)
                    if array.dtype.kind == "f" and not numpy.isfinite(array).all():
                        faults.append("household %d: %s<%s> is not finite" % (number, name, period))
    print("%d random households: %d faults" % (count, len(faults)))
    return faults


def check_slopes(system):
    faults, worst = [], 0
    for year in YEARS:
        for adults, children in ((1, 0), (2, 0), (1, 1), (2, 2), (2, 3)):
            base = {
                "individus": {},
                "familles": {"f": {"parents": [], "enfants": []}},
                "foyers_fiscaux": {"ff": {"declarants": [], "personnes_a_charge": [], "caseT": {str(year): adults == 1}}},
                "menages": {"m": {"personne_de_reference": [], "conjoint": [], "enfants": []}},
                "axes": [[{"name": "salaire_imposable", "count": 1201, "min": 0, "max": 120000, "period": str(year), "index": 0}]],
            }
            for i in range(adults + children):
                name = "p%d" % i
                age = 40 if i < adults else 4 * (i - adults) + 3
                base["individus"][name] = {"date_naissance": {"ETERNITY": "%d-01-01" % (year - age)}}
                base["familles"]["f"]["parents" if i < adults else "enfants"].append(name)
                base["foyers_fiscaux"]["ff"]["declarants" if i < adults else "personnes_a_charge"].append(name)
                role = "enfants" if i >= adults else "conjoint" if i else "personne_de_reference"
                base["menages"]["m"][role].append(name)
            simulation = SimulationBuilder().build_from_entities(system, base)
            drop = -numpy.diff(simulation.calculate("revdisp", str(year)).astype(float)).min()
            worst = max(worst, drop)
            if drop > LARGEST_CLIFF:
                faults.append("%d, %d adults, %d children: disposable income falls by %.2f" % (year, adults, children, drop))
    print("disposable income along wages: largest fall %.2f euros a year, %d faults" % (worst, len(faults)))
    return faults


def check_suggestions():
    case = {
        "individus": [{"id": "a"}, {"id": "b", "statut_marital": "marie"}, {"id": "c", "age": {"2014": 7}}, {"id": "d", "date_naissance": "1985-02-03"}],
        "familles": [{"id": "f", "parents": ["a", "b"], "enfants": ["c"]}, {"id": "g", "parents": ["d"]}],
        "foyers_fiscaux": [
            {"id": "ff", "declarants": ["a", "b"]},
            {"id": "gg", "declarants": ["d"], "personnes_a_charge": ["c"]},
        ],
        "menages": [{"id": "m", "personne_de_reference": "a", "conjoint": "b", "enfants": ["c"], "autres": ["d"]}],
    }
    before = copy.deepcopy(case)
    found = [(s["entity"], s["id"], s["variable"], s["period"], s["value"]) for s in suggest(case, 2014)]
    expected = [
        ("individus", "a", "date_naissance", "ETERNITY", "1974-01-01"),
        ("individus", "b", "date_naissance", "ETERNITY", "1974-01-01"),
        ("individus", "c", "date_naissance", "ETERNITY", "2007-01-01"),
        ("individus", "c", "activite", "2014", "etudiant"),
        ("individus", "a", "statut_marital", "2014", "marie"),
        ("foyers_fiscaux", "gg", "caseT", "2014", True),
    ]
    faults = [] if found == expected and case == before else ["suggestions: got %r, expected %r" % (found, expected)]
    print("suggestions: %d faults" % len(faults))
    return faults


def main():
    logging.disable(logging.CRITICAL)
    system = edict_france.CountryTaxBenefitSystem()
    faults = check_households(system, 260) + check_slopes(system) + check_suggestions()
    for fault in faults[:20]:
        print(fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
