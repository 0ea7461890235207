from openfisca_core.model_api import *

from feature_patches.entities import Person


class step(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "The amount of a bracket"

    def formula(person, period, parameters):
        return parameters(period).steps.calc(person("pay", period))


class between(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "An amount between those of two brackets"

    def formula(person, period, parameters):
        return parameters(period).steps.calc(person("pay", period), between=True)


class twice(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "By a method that scales did not have"

    def formula(person, period, parameters):
        return parameters(period).steps.doubled(person("pay", period))
