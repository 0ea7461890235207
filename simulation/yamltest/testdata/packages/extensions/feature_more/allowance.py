from openfisca_core.model_api import *

from feature_extensions.entities import Person


class allowance(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "A local allowance"

    def formula(person, period, parameters):
        return person("salary", period) * parameters(period).local.rate
