from openfisca_core.model_api import *

from feature_set_input.entities import Household, Person



class divided(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    set_input = set_input_divide_by_period
    label = "An amount"


class dispatched(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    set_input = set_input_dispatch_by_period
    label = "A state"


class plain(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "Neither"


class total(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "Sum of the amounts"

    def formula(person, period):
        return person("divided", period, options=[ADD])
