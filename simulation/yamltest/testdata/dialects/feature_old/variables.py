import numpy

from openfisca_core.indexed_enums import Enum
from openfisca_core.model_api import *

from feature_old.entities import Person


class Zone(Enum):
    north = "North"
    south = "South"
    east = "East"


class code(Variable):
    value_type = str
    entity = Person
    definition_period = MONTH
    label = "A code that may name a zone"


class pay(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    set_input = set_input_divide_by_period
    label = "An amount"


class zone(Variable):
    value_type = Enum
    possible_values = Zone
    default_value = Zone.east
    entity = Person
    definition_period = MONTH
    label = "By a name that may be none"

    def formula(person, period):
        return numpy.where(person("code", period) == "s", "south", "nowhere")


class zone_of_code(Variable):
    value_type = Enum
    possible_values = Zone
    default_value = Zone.east
    entity = Person
    definition_period = MONTH
    label = "By an encoding in the formula"

    def formula(person, period):
        return Zone.encode(person("code", period).astype(str))


class first_pay(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "A period of one digit in the formula"

    def formula(person, period):
        return person("pay", f"{period.start.year}-{1}")


class levy(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "By a scale whose rates have a base"

    def formula(person, period, parameters):
        return parameters(period).based.calc(person("pay", period))
