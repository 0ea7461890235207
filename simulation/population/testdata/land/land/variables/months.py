"""Formulas that do something else with their period each; most give the same month after month."""

import numpy as np
from openfisca_core.periods import MONTH, YEAR, instant, period as make_period
from openfisca_core.variables import Variable

from land.entities import Person


class steady(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        return person("wage", period.this_year) * 2


class wage(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR

    def formula(person, period):
        birth = person("birth", period)
        return (birth.astype("datetime64[Y]").astype(int) + 1970) * 10.0


class taxed(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period, parameters):
        return person("wage", period.this_year) * parameters(period).moving.rate


class by_node(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period, parameters):
        law = parameters(period)
        moving = law.moving
        return person("wage", period.this_year) * moving.rate + law.rates.north


class by_item(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period, parameters):
        node = parameters(period)["moving"]
        return person("wage", period.this_year) * node["rate"] + len([name for name in node])


class by_child(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period, parameters):
        node = parameters(period).moving
        return person("wage", period.this_year) * node._children["rate"]


class dated(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period, parameters):
        return person("wage", period.this_year) + len(parameters(period)._instant_str) + int(parameters(period)._instant_str[5:7])


class scaled(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period, parameters):
        return parameters(period).moving.scale.calc(person("wage", period.this_year))


class elsewhere(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period, parameters):
        return person("wage", period.this_year) * parameters(period.start.offset(-1, "month")).moving.rate + parameters("2016-05-01").moving.rate


class before_june(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        if period.start.month < 6:
            return person("wage", period.this_year)
        return person("wage", period.this_year) + 1


class chained(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        if 3 <= period.start.month < 6:
            return person("wage", period.this_year)
        return person("wage", period.this_year) + period.start.month


class by_month(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        return person("wage", period.this_year) * period.start.month


class by_start(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        start = period.start
        return person("wage", period.this_year) + start.month


class by_text(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        return person("wage", period.this_year) + int(str(period)[5:]) + int("{}".format(period)[5:]) + int(f"{period}"[5:])


class by_key(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        known = {make_period("2016-03"): 5, make_period("2017-07"): 7}
        return person("wage", period.this_year) + known.get(period, 0)


class by_order(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        late = period > make_period("2016-09")
        return person("wage", period.this_year) + (3 if late else 0) + (1 if period == make_period("2016-02") else 0)


class by_part(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        unit, start, size = period
        return person("wage", period.this_year) + start[1] + period[1][1] + size


class by_days(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        return person("wage", period.this_year) + period.days + period.stop.day + period.date.month


class inside(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        here = period.contains(make_period("2016-04"))
        return person("wage", period.this_year) + (9 if here else 0) + len(period.this_year.get_subperiods(MONTH))


class absolute(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        return person("by_month", "2016-03") + person("by_month", make_period("2016-02")) + person("wage", period.this_year)


class backward(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        if period.start.year < 2016:
            return person("wage", period.this_year) * 0
        return person("backward", period.last_month) + person("before_june", period.offset(-1)) + person("steady", period.offset(-2, "month"))


class rolled(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        return sum(person("before_june", period.offset(-k, "month")) for k in range(4))


class firsts(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        return person("by_month", period.this_year.first_month) + person("by_month", period.offset("first-of", "year").first_month)


class asked_all(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        wage = person("before_june", period)
        if (wage % 2 == 1).any():
            return wage + 0.5
        return wage


class aged(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        birth = person("birth", period)
        return (np.datetime64(period.start) - birth).astype("timedelta64[M]").astype(int)


class looked(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period):
        person("steady", period)
        return person("wage", period.this_year) + len(person.get_holder("steady").get_known_periods())


class mended(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

    def formula(person, period, parameters):
        try:
            return person("wage", period.this_year) * parameters(period).moving.nothing
        except Exception:
            return person("wage", period.this_year) * parameters(instant(period)).moving.rate
