from openfisca_core.model_api import *

from feature_entities.entities import Household, Person



class salary(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "Salary"


class total(Variable):
    value_type = float
    entity = Household
    definition_period = MONTH
    label = "Sum of the salaries"

    def formula(household, period):
        return household.sum(household.members("salary", period))


class size(Variable):
    value_type = int
    entity = Household
    definition_period = MONTH
    label = "Number of members"

    def formula(household, period):
        return household.nb_persons()


class share(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "Equal share of the total"

    def formula(person, period):
        return person.household("total", period) / person.household("size", period)


class largest(Variable):
    value_type = float
    entity = Household
    definition_period = MONTH
    label = "Largest salary"

    def formula(household, period):
        return household.max(household.members("salary", period))


class rank(Variable):
    value_type = int
    entity = Person
    definition_period = MONTH
    label = "Rank by salary, the best paid first"

    def formula(person, period):
        return person.get_rank(person.household, -person("salary", period))


class any_rich(Variable):
    value_type = bool
    entity = Household
    definition_period = MONTH
    label = "Somebody earns more than 1000"

    def formula(household, period):
        return household.any(household.members("salary", period) > 1000)
