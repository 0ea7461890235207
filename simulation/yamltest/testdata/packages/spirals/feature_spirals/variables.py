from openfisca_core.model_api import *

from feature_spirals.entities import Household, Person



class seed(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "Where it starts"


class spiral(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "Needs itself one month before"

    def formula(person, period):
        return person("spiral", period.last_month) + 1 + person("seed", period)


class above(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "Asks for the spiral"

    def formula(person, period):
        return person("spiral", period) * 10
