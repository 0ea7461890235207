import numpy as np
from openfisca_core.indexed_enums import Enum
from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from land.entities import Club, Household, Person
from land.variables.given import Zone


# Row by row, or group by group.


class tax(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period, parameters):
        return person("salary", period) * 0.3 - person.household("rent", period) / person.household.nb_persons()


class income(Variable):
    value_type = float
    entity = Household
    definition_period = MONTH

    def formula(household, period):
        return household.sum(household.members("salary", period)) - household("rent", period)


class dues(Variable):
    value_type = float
    entity = Club
    definition_period = MONTH

    def formula(club, period):
        return club("fee", period) * club.nb_persons() + club.max(club.members("salary", period))


class place(Variable):
    entity = Person
    value_type = int
    definition_period = MONTH

    def formula(person, period):
        return person.get_rank(person.household, -person("salary", period))


class youngest(Variable):
    value_type = float
    entity = Household
    definition_period = MONTH

    def formula(household, period):
        return household.reduce(household.members("salary", period), np.minimum, 1e9, role=Household.CHILD)


class sized(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        salary = person("salary", period)
        return np.ones(person.count) + np.zeros(len(salary)) + np.full(salary.shape, 2) + np.repeat(4, salary.size)


class mapped(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        return np.fromiter((1 if s > 2000 else s for s in person("salary", period)), dtype=float)


class masked(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        out = person("salary", period) * 1
        out[out > 2000] = 7
        return out


class tabled(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        a, b = person("salary", period), person("debt", period)
        return np.max([a, b], axis=0) + np.column_stack((a, b)).sum(axis=1)


class corner(Variable):
    value_type = Enum
    possible_values = Zone
    default_value = Zone.nowhere
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        return np.where(person("salary", period) > 2500, Zone.north, Zone.south)


# Any or all of the population.


class rich_land(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        salary = person("salary", period)
        if (salary > 4900).any():
            return salary * 2
        return salary


class ladder(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        salary = person("salary", period)
        for step in range(4):
            if (salary > 4990 - 5 * step).any():
                salary = salary + 1
            if not np.all(salary < 4995 + step):
                salary = salary * 1.5
        return salary


class nothing(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        return person("salary", period) + sum(person("debt", period)) + person("debt", period).max()


# Everybody.


class share(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        salary = person("salary", period)
        return salary / max(salary.sum(), 1)


class above_mean(Variable):
    entity = Person
    value_type = bool
    definition_period = MONTH

    def formula(person, period):
        salary = person("salary", period)
        return salary > np.mean(salary)


class counted(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        return person("salary", period) + person.count


class looped(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        before, out = 0, []
        for s in person("salary", period):
            before += float(s)
            out.append(before)
        return np.array(out)


class kinds(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        salary = person("salary", period)
        return sum(np.where(salary > u, 1, 0) for u in np.unique(np.floor(salary / 1000)))


class filtered(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        salary = person("salary", period)
        few = salary[salary > 1000]
        return salary * (len(few) if few.size > 3 else 1)


class chosen(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        return person("salary", period) - person("salary", period)[0]


class caught(Variable):
    value_type = float
    entity = Household
    definition_period = MONTH

    def formula(household, period, parameters):
        zone = household("zone", period.this_year)
        try:
            return parameters(period).rates[zone] * 100
        except Exception:
            return household("rent", period) * 0 - 1


class unfolded(Variable):
    value_type = float
    entity = Household
    definition_period = MONTH

    def formula(household, period):
        return household.reduce(household.members("salary", period), lambda a, b: a + b + 1, 0)


class zoned(Variable):
    value_type = float
    entity = Household
    definition_period = MONTH

    def formula(household, period):
        zone = household("zone", period.this_year)
        return np.select([zone == Zone.north, zone == Zone.south], [1, 2], 3)
