from openfisca_core.model_api import *

from feature_indexing.entities import Household, Person



class Zone(Enum):
    __order__ = "north south"
    north = "North"
    south = "South"


class zone(Variable):
    value_type = Enum
    possible_values = Zone
    default_value = Zone.north
    entity = Person
    definition_period = MONTH
    label = "Zone"


class kind(Variable):
    value_type = str
    entity = Person
    default_value = "small"
    definition_period = MONTH
    label = "Kind, as text"


class rent(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "Rent by zone and kind"

    def formula(person, period, parameters):
        return parameters(period).rents[person("zone", period)][person("kind", period)]


class fee(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "Fee by zone"

    def formula(person, period, parameters):
        return parameters(period).rents[person("zone", period)].small / 10
