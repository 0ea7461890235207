# Names taken from the files that OpenFisca-Core's modules are made of.
from numpy import log10

from openfisca_core.errors.variable_not_found_error import VariableNotFoundError
from openfisca_core.parameters.parameter_node import ParameterNode
from openfisca_core.periods import period_
from openfisca_core.periods.date_unit import DateUnit
from openfisca_core.populations.population import Population
from openfisca_core.variables.variable import Variable
from openfisca_core import populations, types as t

from feature_modules.entities import Person


class pay(Variable):
    value_type = float
    entity = Person
    definition_period = DateUnit.YEAR
    label = "Pay"


class digits(Variable):
    value_type = float
    entity = Person
    definition_period = DateUnit.YEAR
    label = "How many digits the pay has after the first"

    def formula(person: t.CorePopulation, period: t.Period):
        assert isinstance(person, populations.Population) and isinstance(person, Population)
        assert isinstance(period, period_.Period)
        return log10(person("pay", period)) // 1


class absent(Variable):
    value_type = bool
    entity = Person
    definition_period = DateUnit.YEAR
    label = "Whether a variable that nobody defined is found"

    def formula(person, period, parameters):
        try:
            person("nobody_defined_this", period)
        except VariableNotFoundError:
            return person("pay", period) < 0
        return person("pay", period) >= 0
