from openfisca_core.model_api import *

from feature_strings.entities import Household, Person



class town(Variable):
    value_type = str
    entity = Person
    default_value = "nowhere"
    definition_period = MONTH
    label = "Town"


class is_capital(Variable):
    value_type = bool
    entity = Person
    definition_period = MONTH
    label = "Lives in the capital"

    def formula(person, period):
        return person("town", period) == "Paris"


class region(Variable):
    value_type = str
    entity = Person
    definition_period = MONTH
    label = "Region of the town"

    def formula(person, period):
        return where(person("is_capital", period), "centre", "province")
