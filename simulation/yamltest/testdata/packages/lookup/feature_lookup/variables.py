import numpy

from openfisca_core.model_api import *

from feature_lookup.entities import Household, Person


class salary(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "Salary"


class town(Variable):
    value_type = str
    entity = Household
    definition_period = MONTH
    label = "Code of the town"


class household_size(Variable):
    value_type = int
    entity = Household
    definition_period = MONTH
    label = "Persons of the household"

    def formula(household, period):
        return household.nb_persons()


class described(Variable):
    value_type = str
    entity = Household
    definition_period = MONTH
    label = "A text for each household, made of objects"

    def formula(household, period):
        names = numpy.array(["alone", "two", None, "many"], dtype=object)
        found = names[numpy.minimum(household("household_size", period), 4) - 1]
        return numpy.where(found == None, household("town", period), found)  # noqa: E711


class code_length(Variable):
    value_type = int
    entity = Household
    definition_period = MONTH
    label = "By a function of Python for each text"

    def formula(household, period):
        return numpy.array([len(code) for code in household("town", period)])


class parsed(Variable):
    value_type = float
    entity = Household
    definition_period = MONTH
    label = "By a vectorized function of texts"

    def formula(household, period):
        return numpy.vectorize(lambda code: float(code[:2]) if code[:2].isdigit() else -1.0)(household("town", period))
