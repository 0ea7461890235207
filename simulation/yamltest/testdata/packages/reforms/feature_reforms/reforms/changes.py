from openfisca_core.model_api import *
from openfisca_core.periods import period

from feature_reforms.entities import Person


def double(parameters):
    parameters.taxes.rate.update(period=period("year:2020:10"), value=0.5)
    return parameters


class double_rate(Reform):
    name = "The rate is doubled"

    def apply(self):
        self.modify_parameters(modifier_function=double)


class tax(Variable):
    def formula(person, period):
        return person("salary", period) * 0 + 1


class flat(Reform):
    name = "Everybody pays one"

    def apply(self):
        self.update_variable(tax)


class bonus(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "Only in the reform"

    def formula(person, period):
        return person("net", period) + 1000


class with_bonus(Reform):
    name = "A variable more"

    def apply(self):
        self.add_variable(bonus)


class no_tax(Reform):
    name = "No tax"

    def apply(self):
        self.neutralize_variable("tax")


class levy(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "A levy, at a rate that the reform adds to the law"

    def formula(person, period, parameters):
        law = parameters(period)
        return person("salary", period) * law.levies.rate * law.taxes.rate


class with_levy(Reform):
    name = "Parameters added to the law as it is"

    def apply(self):
        self.parameters.add_child("levies", ParameterNode("levies", data={"rate": {"values": {"2015-01-01": 2}}}))
        self.add_variable(levy)


def later(parameters):
    parameters.taxes.rate.update(period=period("year:2022:1"), value=0.75)
    return parameters


class twice(Reform):
    name = "What is modified is the baseline, each time"

    def apply(self):
        self.modify_parameters(modifier_function=double)
        self.modify_parameters(modifier_function=later)
