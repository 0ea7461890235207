from openfisca_core.model_api import *

from feature_formulas.entities import Household, Person



class base(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "Base"


class grant(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "A grant whose rule changed twice and that ended"
    end = "2021-12-31"

    def formula_2018(person, period):
        return person("base", period) * 0.1

    def formula_2020_07(person, period, parameters):
        return person("base", period) * parameters(period).rate


class yearly(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "Sum over the months"

    def formula(person, period):
        return person("base", period, options=[ADD])


class monthly(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "A twelfth of the year"

    def formula(person, period):
        return person("yearly", period, options=[DIVIDE])
