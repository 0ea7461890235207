from fractions import Fraction

from dateutil.relativedelta import relativedelta
from numpy import datetime64

from openfisca_core.model_api import *

from feature_dates.entities import Household, Person



class birth(Variable):
    value_type = date
    entity = Person
    definition_period = ETERNITY
    label = "Birth date"


class age(Variable):
    value_type = int
    entity = Person
    definition_period = MONTH
    label = "Age in years on the first day of the month"

    def formula(person, period):
        birth = person("birth", period)
        birth_year = birth.astype("datetime64[Y]").astype(int) + 1970
        birth_month = birth.astype("datetime64[M]").astype(int) % 12 + 1
        birth_day = (birth - birth.astype("datetime64[M]") + 1).astype(int)
        passed = (birth_month < period.start.month) + (birth_month == period.start.month) * (birth_day <= period.start.day)
        return (period.start.year - birth_year) - where(passed, 0, 1)


class born_before(Variable):
    value_type = bool
    entity = Person
    definition_period = ETERNITY
    label = "Born before the year 2000"

    def formula(person, period):
        return person("birth", period) < datetime64("2000-01-01")


class due(Variable):
    value_type = date
    entity = Person
    definition_period = MONTH
    label = "Two years after birth and the last day of a month: Python's dates in an array of objects"

    def formula(person, period):
        last = person.filled_array(date(period.start.year, 1, 31))
        later = person("birth", period).astype(date) + relativedelta(years=2)
        return where(person("born_before", period), last + relativedelta(months=1), later)


class paid(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "An exact third, in an array of objects"

    def formula(person, period):
        return person("age", period) * Fraction.from_float(0.5) / 3
