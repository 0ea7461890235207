from openfisca_core.model_api import *

from feature_scales.entities import Household, Person



class income(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "Income"


class progressive(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "Tax by marginal rates"

    def formula(person, period, parameters):
        return parameters(period).scales.rates.calc(person("income", period))


class step(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "A single amount"

    def formula(person, period, parameters):
        return parameters(period).scales.amount.calc(person("income", period))


class steps(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "Amounts that add up"

    def formula(person, period, parameters):
        return parameters(period).scales.amounts.calc(person("income", period))
