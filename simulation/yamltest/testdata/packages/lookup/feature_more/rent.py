import json
import os

import numpy
import pandas

from openfisca_core.model_api import *

from feature_lookup.entities import Household

HERE = os.path.dirname(os.path.abspath(__file__))
towns = pandas.read_csv(os.path.join(HERE, "data", "towns.csv"), sep=";", dtype={"code": str})
caps = pandas.read_csv(os.path.join(HERE, "data", "caps.csv"), index_col="zone")

with open(os.path.join(HERE, "data", "factors.json"), encoding="utf-8") as f:
    factors = json.load(f)


class zone(Variable):
    value_type = int
    entity = Household
    definition_period = MONTH
    label = "Zone of the town"

    def formula(household, period):
        zones = towns.set_index("code")["zone"].to_dict()
        return numpy.array([zones.get(code, 3) for code in household("town", period)])


class rent_cap(Variable):
    value_type = float
    entity = Household
    definition_period = MONTH
    label = "Highest rent that counts, by zone and size"

    def formula(household, period, parameters):
        zone = household("zone", period)
        size = numpy.minimum(household("household_size", period), 3)
        table = caps[["one", "two", "more"]].values
        return table[zone - 1, size - 1] * parameters(period).local.rate


class area(Variable):
    value_type = float
    entity = Household
    definition_period = MONTH
    label = "By mapping a series"

    def formula(household, period):
        town = pandas.Series(household("town", period))
        return town.map(towns.set_index("code")["area"]).fillna(0).values


class factor(Variable):
    value_type = float
    entity = Household
    definition_period = MONTH
    label = "By a mask over the table"

    def formula(household, period):
        zone = household("zone", period)
        chosen = [towns.loc[towns["zone"] == z, "area"].max() * factors[str(z)] for z in (1, 2)]
        return select([zone == 1, zone == 2], chosen)


class one_cap(Variable):
    value_type = float
    entity = Household
    definition_period = MONTH
    label = "Cells of a table that a module holds"

    def formula(household, period):
        here = caps.copy()
        here["more"] = here["more"] + 1
        return household.filled_array(caps.loc[1, "one"] + caps["two"][2] + here.loc[3, "more"] + caps.iloc[0]["two"] + caps.at[3, "more"])
