import weakref

import numpy as np
import pandas as pd
from microdf import MicroDataFrame, MicroSeries

from piped_policy.entities import Household, Person
from policyengine_core.model_api import *
from policyengine_core.periods import instant
from policyengine_core.projectors import Projector


class Region(Enum):
    NORTH = "North"
    SOUTH = "South"


class region(Variable):
    value_type = Enum
    possible_values = Region
    default_value = Region.SOUTH
    entity = Household
    definition_period = YEAR
    label = "a label"


class wage(Variable):
    value_type = float
    entity = Person
    unit = "currency-USD"
    definition_period = YEAR
    label = "a label"


class tax(Variable):
    value_type = float
    entity = Person
    unit = "currency-USD"
    definition_period = YEAR
    label = "a label"

    def formula(person, period, parameters):
        return person("wage", period) * parameters(period).gov.rate[person.household("region", period)]


class after_tax(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "a label"

    def formula(person, period, parameters):
        return person("wage", period) - person("tax", period)


class provided(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "a label"

    def formula(person, period, parameters):
        provider = person.simulation.tax_benefit_system.provider
        return np.asarray([provider.rate(period.start.year)] * person.count, dtype=np.float64)


class place(Variable):
    value_type = str
    entity = Household
    definition_period = YEAR
    label = "a label"


class place_rate(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR
    label = "a label"

    def formula(household, period, parameters):
        known = pd.DataFrame({"place": ["00101", "00102"], "rate": [0.5, 0.75]})
        places = pd.Series(household("place", period)).astype(str).str.zfill(5)
        return pd.DataFrame({"place": places}).merge(known, on="place", how="left")["rate"].fillna(0)


class month_drawn(Variable):
    value_type = int
    entity = Person
    definition_period = YEAR
    label = "a label"

    def formula(person, period, parameters):
        x = np.asarray(person("wage", period)).astype(np.uint64)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        return (x % np.uint64(12)).astype(int)


class capped(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "a label"

    def formula(person, period, parameters):
        caps = parameters(period).gov.caps
        return min_(min_(person("wage", period), caps.low), caps.high)


class given_first(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR
    label = "a label"

    def formula(household, period, parameters):
        simulation = household.simulation
        years = [p.start.year for p in simulation._get_exportable_input_periods("wage", include_computed_variables=False)]
        computed = simulation._get_exportable_input_periods("capped", include_computed_variables=False)
        known = [branch for branch, _ in simulation.get_holder("wage").get_known_branch_periods()]
        return years[0] + len(computed) + (known != ["default"]) + simulation.is_over_dataset


class behind(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "a label"

    def formula(person, period, parameters):
        group = person.household.reference_entity
        return 100 * group.members_entity_id + 10 * group.members_position + group.members.count


class amount_by_size(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR
    label = "a label"

    def formula(household, period, parameters):
        kind = where(household("region", period) == household("region", period).possible_values.NORTH, "north", "south")
        return parameters(period).gov.sizes[kind][household.nb_persons()]


class region_or_first(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR
    label = "a label"

    def formula(household, period, parameters):
        region = household("region", period)
        other = region.copy()
        other[region == region.possible_values.SOUTH] = region.possible_values.NORTH.index
        large = household.nb_persons() > 1
        p = parameters(period).gov.sizes
        of_size = p[where(large, "north", "south")][household.nb_persons()]
        return of_size + 1000 * (other == region.possible_values.NORTH) + 10000 * len(list(p.__iter__())) + len(type(region.possible_values.NORTH)._member_map_)


class larger_pay(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "a label"

    def formula(person, period, parameters):
        return 2 * person("wage", period)


class kept_of_branch(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "a label"

    def formula(person, period, parameters):
        simulation = person.simulation
        person("larger_pay", period)
        branch = simulation.get_branch("more")
        inputs = branch._user_input_keys
        dropped = []
        for population in branch.populations.values():
            for name, holder in population._holders.items():
                for branch_name, known in holder.get_known_branch_periods():
                    if (name, branch_name, known) in inputs:
                        continue
                    dropped.append(name)
                    holder._memory_storage._arrays.pop(f"{branch_name}:{known}", None)
                    if holder._disk_storage is not None:
                        raise ValueError("nothing is on a disk")
        branch._fast_cache = {}
        branch.set_input("wage", period, np.array([50.0] * person.count))
        return branch.calculate("larger_pay", period) + 1000 * ("larger_pay" in dropped) + person("larger_pay", period) * 10000


class of_projector(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "a label"

    def formula(person, period, parameters):
        group = person.household
        sizes = group.reference_entity.nb_persons()
        return group.transform_and_bubble_up(sizes) + 10 * isinstance(group, Projector) + 100 * isinstance(group.reference_entity, Projector)


CODES = pd.DataFrame({"place": ["101", "102"], "code": [7, 8]})


class place_code(Variable):
    value_type = int
    entity = Household
    definition_period = YEAR
    label = "a label"

    def formula(household, period, parameters):
        CODES["code"] = CODES["code"].astype(str)
        found = pd.merge(pd.DataFrame({"place": household("place", period)}), CODES, how="left", on="place")
        found["code"] = found["code"].fillna("1").astype(int)
        return found["code"]


class bonus(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "a label"


class care(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR
    label = "a label"

    def formula(household, period, parameters):
        return parameters(period).gov.care.spending[household("region", period)]


class age_rank(Variable):
    value_type = int
    entity = Person
    definition_period = YEAR
    label = "a label"

    def formula(person, period, parameters):
        household = person.household
        return person.get_rank(household, person("wage", period), household)


class region_of_text(Variable):
    value_type = Enum
    possible_values = Region
    default_value = Region.SOUTH
    entity = Household
    definition_period = YEAR
    label = "a label"

    def formula(household, period, parameters):
        names = Region._member_names_
        numbers = pd.Series(np.arange(len(names)), index=names)
        wanted = pd.Series(household("place", period)).apply(lambda name: name.upper())
        return numbers.reindex(wanted).fillna(names.index("SOUTH")).astype(numbers.dtype)


class own_region(Variable):
    value_type = Enum
    possible_values = Region
    default_value = Region.SOUTH
    entity = Person
    definition_period = YEAR
    label = "a label"


class one_region(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR
    label = "a label"

    def formula(household, period, parameters):
        region = household.members("own_region", period)
        same = household.max(region) == household.min(region)
        return same + 10 * household.sum(region) + 100 * household.max(household.members.get_rank(household, region))


class largest_pay(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "a label"

    def formula(person, period, parameters):
        return person("larger_pay", period) + person("wage", period)


class of_larger_pay(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "a label"

    def formula(person, period, parameters):
        simulation = person.simulation
        all_of_it = person("largest_pay", period)
        branch = simulation.get_branch("without", clone_system=True)
        branch.tax_benefit_system.neutralize_variable("larger_pay")
        known = branch.person("largest_pay", period)
        given = set(branch.input_variables)
        for name in list(branch.tax_benefit_system.variables.keys()):
            if name not in given:
                branch.delete_arrays(name)
        without = branch.person("largest_pay", period)
        del simulation.branches["without"]
        simulation.delete_arrays("largest_pay")
        return all_of_it - without + 100 * known + 10000 * person("largest_pay", period)


class half_of_care(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR
    label = "a label"

    def formula(household, period, parameters):
        spending = parameters(period).gov.care.spending[household("region", period)]
        half = np.zeros_like(spending)
        half[spending > 0] = household("pence", period)[spending > 0] / 2
        return half


class pence(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR
    label = "a label"


_PINNED = {}


def pinned_law(system):
    known = _PINNED.get("2020")
    if known is not None and known[0]() is system:
        return known[1]
    pinned = system.clone()
    first, last = instant("2021-01-01"), instant("2021-12-31")
    for parameter in pinned.parameters.gov.rate.get_descendants():
        if isinstance(parameter, Parameter):
            parameter.update(start=first, stop=last, value=parameter("2020-01-01") * 2)
    rate = pinned.parameters.gov.rate
    rate.NORTH.update(start=first, stop=last, value=rate.NORTH(first) + 0.05)
    for bracket in pinned.parameters.gov.bands.brackets:
        bracket.rate.update(start=first, stop=last, value=bracket.rate(first) + 0.3)
    _PINNED["2020"] = (weakref.ref(system), pinned)
    return pinned


class band(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "a label"

    def formula(person, period, parameters):
        return parameters(period).gov.bands.calc(person("wage", period))


class by_pinned_law(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "a label"

    def formula(person, period, parameters):
        simulation = person.simulation
        now, band = person("tax", period), person("band", period)
        branch = simulation.get_branch("pinned")
        branch.tax_benefit_system = pinned_law(simulation.tax_benefit_system)
        kept = branch.person("tax", period)
        branch.delete_arrays("tax")
        branch.delete_arrays("band")
        then = branch.person("tax", period)
        within = branch.get_branch("within")
        within.delete_arrays("tax")
        deeper = within.person("tax", period)
        told = branch.tax_benefit_system.parameters(period).gov.rate.NORTH - parameters(period).gov.rate.NORTH
        simulation.delete_arrays("tax")
        return (
            now + 10 * kept + 100 * then + 1000 * deeper + 10000 * person("tax", period)
            + 100000 * (branch.person("band", period) - band) + 1000000 * np.round(100 * told)
        )
