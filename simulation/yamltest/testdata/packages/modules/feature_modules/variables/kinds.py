# A kind of variable of the package's own.
from openfisca_core.model_api import YEAR, Variable

from feature_modules.entities import Person


class YearlyVariable(Variable):
    def __init__(self, baseline_variable=None):
        self.__class__.definition_period = YEAR
        try:
            delattr(self.__class__, "baseline_variable")
        except AttributeError:
            pass
        Variable.__init__(self, baseline_variable=baseline_variable)
        self.label = self.label.upper()


class bonus(YearlyVariable):
    value_type = float
    entity = Person
    label = "A bonus"

    def formula_2021(person, period):
        return person("pay", period) * 0.5
