from datetime import date

from openfisca_core.holders import set_input_divide_by_period
from openfisca_core.indexed_enums import Enum
from openfisca_core.periods import ETERNITY, MONTH, YEAR
from openfisca_core.variables import Variable

from land.entities import Club, Household, Person


class Zone(Enum):
    north = "North"
    south = "South"
    nowhere = "Nowhere"


class salary(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    set_input = set_input_divide_by_period


class debt(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH


class children(Variable):
    value_type = int
    entity = Person
    definition_period = MONTH


class birth(Variable):
    value_type = date
    default_value = date(1980, 1, 1)
    entity = Person
    definition_period = ETERNITY


class student(Variable):
    value_type = bool
    entity = Person
    definition_period = MONTH


class nickname(Variable):
    value_type = str
    entity = Person
    definition_period = ETERNITY


class rent(Variable):
    value_type = float
    entity = Household
    definition_period = MONTH


class zone(Variable):
    value_type = Enum
    possible_values = Zone
    default_value = Zone.south
    entity = Household
    definition_period = YEAR


class fee(Variable):
    value_type = float
    default_value = 3.5
    entity = Club
    definition_period = MONTH
