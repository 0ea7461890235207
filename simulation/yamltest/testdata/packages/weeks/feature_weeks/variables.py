import numpy

from openfisca_core.holders import set_input_dispatch_by_period, set_input_divide_by_period
from openfisca_core.model_api import *
from openfisca_core.periods import DateUnit

from feature_weeks.entities import Household, Person


class pay(Variable):
    value_type = float
    entity = Person
    definition_period = DateUnit.WEEK
    set_input = set_input_divide_by_period
    label = "An amount of a week"


class status(Variable):
    value_type = int
    entity = Person
    definition_period = DateUnit.WEEK
    set_input = set_input_dispatch_by_period
    label = "A state of a week"


class hours(Variable):
    value_type = float
    entity = Person
    definition_period = DateUnit.WEEKDAY
    set_input = set_input_divide_by_period
    label = "An amount of a day of the week"


class present(Variable):
    value_type = bool
    entity = Person
    definition_period = DateUnit.WEEKDAY
    set_input = set_input_dispatch_by_period
    label = "A state of a day of the week"


class spent(Variable):
    value_type = float
    entity = Person
    definition_period = DateUnit.DAY
    set_input = set_input_divide_by_period
    label = "An amount of a day"


class rent(Variable):
    value_type = float
    entity = Household
    definition_period = DateUnit.YEAR
    label = "An amount of a year"


class week_hours(Variable):
    value_type = float
    entity = Person
    definition_period = DateUnit.WEEK
    label = "Hours of a week"

    def formula(person, period):
        return person("hours", period, options=[ADD])


class wage(Variable):
    value_type = float
    entity = Person
    definition_period = DateUnit.WEEK
    label = "By formulas of several times"

    def formula(person, period, parameters):
        return person("week_hours", period) * 2

    def formula_2020_01_06(person, period, parameters):
        return person("week_hours", period) * 3


class year_pay(Variable):
    value_type = float
    entity = Person
    definition_period = DateUnit.YEAR
    label = "Sum of the weeks of a year"

    def formula(person, period):
        return person("pay", period, options=[ADD])


class recent_pay(Variable):
    value_type = float
    entity = Person
    definition_period = DateUnit.WEEK
    label = "Weeks before"

    def formula(person, period):
        before = person("pay", period.last_fortnight, options=[ADD])
        return before + 100 * person("pay", period.last_week) + 10000 * person("pay", period.first_week)


class first_day_hours(Variable):
    value_type = float
    entity = Person
    definition_period = DateUnit.WEEK
    label = "Hours of the first day"

    def formula(person, period):
        return person("hours", period.first_weekday)


class days_present(Variable):
    value_type = int
    entity = Person
    definition_period = DateUnit.WEEK
    label = "Days of a week"

    def formula(person, period):
        return sum(person("present", day) * 1 for day in period.get_subperiods(DateUnit.WEEKDAY))


class week_rent(Variable):
    value_type = float
    entity = Household
    definition_period = DateUnit.WEEK
    label = "A share of a year"

    def formula(household, period):
        return household("rent", period, options=[DIVIDE])


class day_rent(Variable):
    value_type = float
    entity = Household
    definition_period = DateUnit.WEEKDAY
    label = "A share of a year"

    def formula(household, period):
        return household("rent", period, options=[DIVIDE])


class day_pay(Variable):
    value_type = float
    entity = Person
    definition_period = DateUnit.WEEKDAY
    label = "A share of a week"

    def formula(person, period):
        return person("pay", period, options=[DIVIDE])


class month_spent(Variable):
    value_type = float
    entity = Person
    definition_period = DateUnit.MONTH
    label = "Sum of the days of a month"

    def formula(person, period):
        return person("spent", period, options=[ADD])


class calendar(Variable):
    value_type = float
    entity = Person
    definition_period = DateUnit.WEEK
    label = "What a week consists of"

    def formula(person, period):
        stop = period.stop
        return person.filled_array(stop.day + 100 * stop.month + 10000 * period.size_in_weekdays + 100000 * period.this_year.size_in_weeks)
