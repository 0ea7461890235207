from openfisca_core.model_api import *

from feature_extensions.entities import Household, Person



class salary(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "Salary"
