from openfisca_core.model_api import *

from feature_wide.entities import Household, Person


class budget(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    set_input = set_input_divide_by_period
    label = "An amount with many digits"


class pieces(Variable):
    value_type = int
    entity = Person
    definition_period = YEAR
    label = "A number with many digits"


class total(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR
    label = "Sums keep the digits"

    def formula(household, period):
        return household.sum(household.members("budget", period, options=[ADD]))


class twice(Variable):
    value_type = int
    entity = Person
    definition_period = YEAR
    label = "Numbers do not overflow"

    def formula(person, period):
        return person("pieces", period) * 2 + 1


class widths(Variable):
    value_type = int
    entity = Person
    definition_period = YEAR
    label = "Bytes of what formulas see"

    def formula(person, period):
        a, b = person("budget", period.first_month), person("pieces", period)
        return a.dtype.itemsize * 100 + b.dtype.itemsize * 10 + (a * 0.1).dtype.itemsize + person.filled_array(0)


class third(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "A third"

    def formula(person, period):
        return person("budget", period) / 3
