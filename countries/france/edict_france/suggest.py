"""Values suggested for a test case that leaves out what can be guessed from its structure.

The hook is one function, suggest(test_case, year). It is pure: it reads plain dictionaries, lists, strings and numbers,
changes none of them, and returns a list of suggestions, in the order of the test case.

test_case: {"individus": [...], "familles": [...], "foyers_fiscaux": [...], "menages": [...]}, each entry a dictionary
    with its "id", its roles (lists of ids; in menages "personne_de_reference" and "conjoint" are one id or absent) and
    the variables given, as a value or as {period: value}. Every list is present, every entry has an id.
year: the year the scenario's period starts in, an int.
suggestion: {"entity", "id", "variable", "period", "value"}. The period is the year as text, or "ETERNITY" for a variable
    that does not depend on time. An enumeration's value is the name of its item; a date's is ISO text.

A variable that is given, even as null, is never suggested.
"""

AGE_PARENT = 40
AGE_ENFANT = 10
AGE_ECOLE = 16


def suggest(test_case, year):
    suggestions = []
    parents = roles(test_case["familles"], "parents")
    for individu in test_case["individus"]:
        suggestions.extend(suggest_birth(individu, parents, year))
        suggestions.extend(suggest_activity(individu, parents, year))
    persons = {individu["id"]: individu for individu in test_case["individus"]}
    for foyer in test_case["foyers_fiscaux"]:
        suggestions.extend(suggest_marriage(foyer, persons, year))
        suggestions.extend(suggest_lone_parent(foyer, persons, year))
    return suggestions


def suggest_birth(individu, parents, year):
    """A person without birth date or age is 40 as a parent of a family, else 10; an age alone gives the birth year."""
    if "date_naissance" in individu:
        return []
    age = given_age(individu)
    if age is None:
        if "age" in individu:
            return []
        age = AGE_PARENT if individu["id"] in parents else AGE_ENFANT
    return [suggestion("individus", individu, "date_naissance", "ETERNITY", str(year - age) + "-01-01")]


def suggest_activity(individu, parents, year):
    """A person under 16 goes to school."""
    if "activite" in individu or age_in(individu, parents, year) >= AGE_ECOLE:
        return []
    return [suggestion("individus", individu, "activite", str(year), "etudiant")]


def suggest_marriage(foyer, persons, year):
    """Two declarants are married if one of them says so, else in a civil union."""
    declarants = foyer.get("declarants") or []
    if len(declarants) < 2:
        return []
    status = "pacse"
    for identifier in declarants:
        if says_married(persons[identifier]):
            status = "marie"
    return [
        suggestion("individus", persons[identifier], "statut_marital", str(year), status)
        for identifier in declarants
        if "statut_marital" not in persons[identifier]
    ]


def suggest_lone_parent(foyer, persons, year):
    """A single declarant with dependants raises them alone, unless widowed."""
    declarants = foyer.get("declarants") or []
    dependants = foyer.get("personnes_a_charge") or []
    if len(declarants) != 1 or len(dependants) == 0 or "caseT" in foyer:
        return []
    if "veuf" in scalars(persons[declarants[0]].get("statut_marital")):
        return []
    return [suggestion("foyers_fiscaux", foyer, "caseT", str(year), True)]


def suggestion(entity, entry, variable, period, value):
    return {"entity": entity, "id": entry["id"], "variable": variable, "period": period, "value": value}


def roles(groups, role):
    """The ids that hold a role in any of the groups."""
    ids = []
    for group in groups:
        ids.extend(group.get(role) or [])
    return ids


def scalars(value):
    """The values behind an input, given as one value or by period; None if there is none."""
    if isinstance(value, dict):
        return list(value.values()) or [None]
    return [value]


def says_married(individu):
    return "marie" in scalars(individu.get("statut_marital"))


def given_age(individu):
    """The age given, if it is one whole number."""
    ages = scalars(individu.get("age"))
    if len(ages) == 1 and isinstance(ages[0], int):
        return ages[0]
    return None


def age_in(individu, parents, year):
    """Age in the year: from the birth date, the age given, or what suggest_birth assumes."""
    birth = scalars(individu.get("date_naissance"))[0]
    if isinstance(birth, str) and len(birth) >= 4:
        return year - int(birth[0:4])
    if isinstance(birth, int):
        return year - birth
    age = given_age(individu)
    if age is not None:
        return age
    return AGE_PARENT if individu["id"] in parents else AGE_ENFANT
