import numpy
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


class zone_text(Variable):
    value_type = str
    entity = Person
    definition_period = MONTH
    label = "Zone, as a text that its formula leaves an enumeration"

    def formula(person, period):
        return person("zone", period)


class rent_by_text(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "Rent by that, found in the attributes of the node"

    def formula(person, period, parameters):
        rents = parameters(period).__dict__["rents"]
        known = [name for name in rents.__dict__ if not name.startswith("_")]
        return rents[person("zone_text", period)].small + len(known)


class rent_or_none(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "Rent, none where it is small"

    def formula(person, period):
        rent = person("rent", period)
        return numpy.where(rent > 30, rent, None)


class is_rent_known(Variable):
    value_type = bool
    entity = Person
    definition_period = MONTH
    label = "Whether there is a rent"

    def formula(person, period):
        return ~numpy.isnan(person("rent_or_none", period))
