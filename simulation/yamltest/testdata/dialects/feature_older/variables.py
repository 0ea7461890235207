from openfisca_core.model_api import *

from feature_older.entities import Person


class married(Variable):
    value_type = bool
    entity = Person
    definition_period = MONTH
    label = "No number: what it was last holds on"


class pay(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "A number: no value is nothing"


class kept(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    base_function = requested_period_last_or_next_value
    label = "A number that holds on, and before"


class known(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    base_function = missing_value
    label = "Never without a value"


class total(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "A keyword of calls that was ignored"

    def formula(person, period):
        return person("pay", period, role=None) + person("kept", period)


class needs(Variable):
    value_type = bool
    entity = Person
    definition_period = MONTH
    label = "Whether there is no value"

    def formula(person, period):
        try:
            person("known", period)
        except ValueError:
            return True
        return False
