"""What the people of a test case must be like, beyond what entities and roles say.

Two hooks, both pure as that of suggest.py, whose test_case and year they get:

check(test_case, year) returns what breaks a rule, in the order of the test case:
    {"entity", "id", "role", "person", "message"}: the group, the role in it and the person who should not hold it;
    person is None if it is a person that is missing.
is_adult(individu, year) tells whether a person whom no group names becomes an adult of the group made for them.
"""

from edict_france.suggest import given_age, roles, scalars

MAJORITY = 18
LAST_AGE_OF_DEPENDANTS = 25
YES = (True, 1, "1", "t", "true", "y", "yes", "on")


def check(test_case, year):
    persons = {individu["id"]: individu for individu in test_case["individus"]}
    parents = roles(test_case["familles"], "parents")
    broken = []
    for famille in test_case["familles"]:
        broken.extend(check_ages("familles", famille, "enfants", persons, year))
    for foyer in test_case["foyers_fiscaux"]:
        for identifier in foyer.get("declarants") or []:
            if identifier not in parents:
                text = "%s is no parent: who declares is a parent of one of the familles, if only of one without children" % identifier
                broken.append(breach("foyers_fiscaux", foyer, "declarants", identifier, text))
        broken.extend(check_ages("foyers_fiscaux", foyer, "personnes_a_charge", persons, year))
    for menage in test_case["menages"]:
        if not menage.get("personne_de_reference"):
            broken.append(breach("menages", menage, "personne_de_reference", None, "Missing value: a menage has a personne_de_reference"))
    return broken


def check_ages(entity, group, role, persons, year):
    """Dependants are at most 25 years old on the first of January, unless they are disabled."""
    broken = []
    for identifier in group.get(role) or []:
        age = age_on_january_first(persons[identifier], year)
        if age is not None and age > LAST_AGE_OF_DEPENDANTS and not is_disabled(persons[identifier]):
            text = "%s is %d years old: %s are at most %d, or invalidite is true; else they have groups of their own" % (
                identifier,
                age,
                role,
                LAST_AGE_OF_DEPENDANTS,
            )
            broken.append(breach(entity, group, role, identifier, text))
    return broken


def breach(entity, group, role, person, message):
    return {"entity": entity, "id": group["id"], "role": role, "person": person, "message": message}


def is_adult(individu, year):
    """A person of unknown age counts as an adult."""
    age = age_on_january_first(individu, year)
    return age is None or age >= MAJORITY


def age_on_january_first(individu, year):
    """From the birth date, else the age given; None if neither is."""
    birth = scalars(individu.get("date_naissance"))[0]
    if isinstance(birth, int):
        return year - birth
    if isinstance(birth, str) and len(birth) >= 4:
        age = year - int(birth[0:4])
        return age if birth[4:] in ("", "-1", "-01", "-1-1", "-01-01") else age - 1
    return given_age(individu)


def is_disabled(individu):
    for value in scalars(individu.get("invalidite")):
        if (value.lower() if isinstance(value, str) else value) in YES:
            return True
    return False
