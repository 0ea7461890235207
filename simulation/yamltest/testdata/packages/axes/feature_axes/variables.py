from openfisca_core.model_api import *

from feature_axes.entities import Household, Person



class salary(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    set_input = set_input_divide_by_period
    label = "Salary"


class rent(Variable):
    value_type = float
    entity = Household
    definition_period = MONTH
    label = "Rent"


class left(Variable):
    value_type = float
    entity = Household
    definition_period = MONTH
    label = "What is left after the rent"

    def formula(household, period):
        return household.sum(household.members("salary", period)) - household("rent", period)
