from openfisca_core.model_api import *

from feature_reforms.entities import Household, Person



class salary(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "Salary"


class tax(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "Tax"

    def formula(person, period, parameters):
        return person("salary", period) * parameters(period).taxes.rate


class net(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "What is left"

    def formula(person, period):
        return person("salary", period) - person("tax", period)
