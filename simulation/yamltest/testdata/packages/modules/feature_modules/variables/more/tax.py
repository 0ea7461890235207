from openfisca_core.model_api import YEAR, Variable

from feature_modules.entities import Person


class tax(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "A tax at three rates, which are one"

    def formula(person, period, parameters):
        law = parameters(period)
        return person("pay", period) * (law.rate + law.other.rate + law.again)
