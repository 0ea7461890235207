from openfisca_core.model_api import *

from feature_enums.entities import Household, Person



class Housing(Enum):
    __order__ = "tenant owner free"
    tenant = "Tenant"
    owner = "Owner"
    free = "Lodged free of charge"


class housing(Variable):
    value_type = Enum
    possible_values = Housing
    default_value = Housing.tenant
    entity = Household
    definition_period = MONTH
    label = "Housing"


class aid(Variable):
    value_type = float
    entity = Household
    definition_period = MONTH
    label = "Aid by housing"

    def formula(household, period):
        housing = household("housing", period)
        return select([housing == Housing.tenant, housing == Housing.owner], [100, 20], default=3)


class other(Variable):
    value_type = Enum
    possible_values = Housing
    default_value = Housing.free
    entity = Household
    definition_period = MONTH
    label = "Owners become tenants, others owners"

    def formula(household, period):
        owner = household("housing", period) == Housing.owner
        return where(owner, Housing.tenant, Housing.owner)


Lodged = Enum("Lodged", {kind.name: kind.value for kind in Housing if kind is not Housing.owner})


class lodged(Variable):
    value_type = Enum
    possible_values = Lodged
    default_value = Lodged.tenant
    entity = Household
    definition_period = MONTH
    label = "An enumeration made of another"

    def formula(household, period):
        return where(household("housing", period) == Housing.free, Lodged.free, Lodged.tenant)


class masked(Variable):
    value_type = Enum
    possible_values = Housing
    default_value = Housing.tenant
    entity = Household
    definition_period = MONTH
    label = "The housing of those who get little aid, else the first one: a mask times codes"

    def formula(household, period):
        return (household("aid", period) < 10) * household("housing", period)


class masked_owner(Variable):
    value_type = bool
    entity = Household
    definition_period = MONTH
    label = "What a mask makes of codes is still compared with members, and still not added up"

    def formula(household, period):
        masked = (household("aid", period) > 10) * household("housing", period)
        try:
            return masked + masked
        except TypeError:
            return masked == Housing.owner


class yearly(Variable):
    value_type = Enum
    possible_values = Housing
    default_value = Housing.tenant
    entity = Household
    definition_period = YEAR
    set_input = set_input_divide_by_period
    label = "Divided over one period it stays what it was"

class Trade(Enum):
    none = "No trade"
    _01_11Z = "Cereals"
    _99 = "Other"

    @property
    def rate(self):
        return len(self.value)


class trade(Variable):
    value_type = Enum
    possible_values = Trade
    default_value = Trade.none
    entity = Person
    definition_period = MONTH
    label = "A trade, of a list whose names begin with an underscore"


class trade_aid(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "Aid by trade"

    def formula(person, period):
        trade = person("trade", period)
        return (trade == Trade._01_11Z) * 10 + (trade == Trade._99) * Trade._99.rate


class Zone(Enum):
    far = "Far"
    near = "Near"


class zone(Variable):
    value_type = Enum
    possible_values = Zone
    default_value = Zone.far
    entity = Household
    definition_period = MONTH
    label = "Zone"


NamedAlike = Enum("Zone", "near far")


class alike(Variable):
    value_type = bool
    entity = Household
    definition_period = MONTH
    label = "Enumerations of one name are the same, those of others never; codes are compared as they are"

    def formula(household, period):
        zone, housing = household("zone", period), household("housing", period)
        return (zone == NamedAlike.far) * (zone == housing) * (zone != Housing.owner)
