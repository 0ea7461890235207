from openfisca_core.model_api import *

from feature_roles.entities import Household, Person



class salary(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "Salary"


class adults_salary(Variable):
    value_type = float
    entity = Household
    definition_period = MONTH
    label = "Salaries of the adults"

    def formula(household, period):
        return household.sum(household.members("salary", period), role=Household.ADULT)


class second_salary(Variable):
    value_type = float
    entity = Household
    definition_period = MONTH
    label = "Salary of the second adult"

    def formula(household, period):
        return household.second_adult("salary", period)


class children(Variable):
    value_type = int
    entity = Household
    definition_period = MONTH
    label = "Number of children"

    def formula(household, period):
        return household.nb_persons(Household.CHILD)


class is_child(Variable):
    value_type = bool
    entity = Person
    definition_period = MONTH
    label = "Is a child of the household"

    def formula(person, period):
        return person.has_role(Household.CHILD)


class partner_salary(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "Salary of the other adult"

    def formula(person, period):
        return person.value_from_partner(person("salary", period), person.household, Household.ADULT)


class first_again(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "Salary of the first adult of the person's household"

    def formula(person, period):
        return person.household.first_adult("salary", period)
