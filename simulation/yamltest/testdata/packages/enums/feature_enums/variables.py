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
