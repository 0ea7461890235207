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


class years(Variable):
    value_type = str
    entity = Person
    definition_period = MONTH
    label = "A variable for text that a formula gives numbers stays a number to others"

    def formula(person, period):
        return where(person("town", period) == "Paris", 1.5, 2)


class hours(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "Computed from what should be text"

    def formula(person, period):
        return person("years", period) / 2 * 10


class greeted(Variable):
    value_type = bool
    entity = Person
    definition_period = MONTH
    label = "Text times a mask, and text put together: the values of variables are objects"

    def formula(person, period):
        name = person("town", period)
        return (name == "Paris") * (name + "!")
