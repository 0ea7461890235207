from policyengine_core.model_api import *

from feature_policy.entities import Household, Person, TaxUnit


class wage(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "a flow by the year"
    unit = "currency-USD"


class bonus(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "an input that an index raises"
    uprating = "gov.prices"


class points(Variable):
    value_type = int
    entity = Person
    definition_period = YEAR
    label = "whole numbers that an index raises"
    uprating = "gov.prices"


class rent(Variable):
    value_type = float
    entity = Household
    definition_period = MONTH
    label = "a flow by the month"
    unit = "currency-USD"


class savings(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    quantity_type = STOCK
    label = "a stock by the month"


class age(Variable):
    value_type = int
    entity = Person
    definition_period = YEAR
    label = "a stock by the year"


class is_adult(Variable):
    value_type = bool
    entity = Person
    definition_period = YEAR
    label = "adult"

    def formula(person, period):
        return person("age", period) >= 18


class monthly_need(Variable):
    value_type = float
    entity = Household
    definition_period = MONTH
    label = "months ask for what is by the year"

    def formula(household, period, parameters):
        return household("wage", period) + household.members("age", period).sum() * 0 + household.nb_persons() * 10


class State(Enum):
    NORTH = "in_north"
    SOUTH = "in_south"


class state(Variable):
    value_type = Enum
    possible_values = State
    default_value = State.NORTH
    entity = Household
    definition_period = YEAR
    label = "state"


class in_south(Variable):
    value_type = bool
    entity = Household
    definition_period = YEAR
    label = "in the south"

    def formula(household, period):
        return household("state", period) == State.SOUTH


class child_like(Variable):
    value_type = Enum
    possible_values = State
    default_value = State.SOUTH
    entity = Person
    definition_period = YEAR
    label = "an enumeration that is defined for adults"
    defined_for = "is_adult"

    def formula(person, period):
        return where(person("wage", period) > 0, State.NORTH, State.SOUTH)


class tax(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "tax of adults"
    unit = "currency-USD"
    defined_for = "is_adult"
    reference = {"title": "Act", "href": "https://example.org/act"}

    def formula(person, period, parameters):
        p = parameters(period).gov
        return person("wage", period) * p.rate[person.household("state", period)]


class south_credit(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "what persons have by their household's state"
    unit = "currency-USD"
    defined_for = State.SOUTH

    def formula(person, period, parameters):
        return parameters(period).gov.credit


class allowance(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "an input of adults"
    unit = "currency-USD"
    defined_for = "is_adult"


class net(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR
    label = "sums across entities, with a parameter"
    unit = "currency-USD"
    adds = ["wage", "gov.credit", "unit_benefit"]
    subtracts = ["tax", "rent"]


class listed(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR
    label = "a sum that a parameter lists"
    unit = "currency-USD"
    adds = "gov.listed"


class unit_benefit(Variable):
    value_type = float
    entity = TaxUnit
    definition_period = YEAR
    label = "of a group that is none of the household's"
    unit = "currency-USD"


class unit_wage(Variable):
    value_type = float
    entity = TaxUnit
    definition_period = YEAR
    label = "of everybody in a unit"
    adds = ["wage"]


class added(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR
    label = "add"
    unit = "currency-USD"

    def formula(household, period, parameters):
        return add(household, period, ["wage", "unit_benefit", "net"])


class raise_effect(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "what remains of a higher wage, in a branch"
    unit = "/1"

    def formula(person, period, parameters):
        simulation = person.simulation
        before = person.household("net", period)
        branch = simulation.get_branch("raise")
        for name in simulation.tax_benefit_system.variables:
            if name not in simulation.input_variables:
                branch.delete_arrays(name)
        branch.set_input("wage", period, person("wage", period) + 100)
        after = branch.person.household("net", period)
        return (after - before) / 100


class earnings_before(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "what inputs of earnings are moved to"
    uprating = "gov.prices"


class earnings(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "an input in situations, a formula in simulations"
    adds = ["earnings_before"]


class tips_before(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "what inputs of tips are moved to"


class tips(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "tips"

    def formula(person, period, parameters):
        return person("tips_before", period) * 2


class former_tax(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "the tax of the baseline, if there is one"

    def formula(person, period, parameters):
        baseline = person.simulation.baseline
        if baseline is None:
            return person("wage", period) * 0 - 1
        rate = baseline.tax_benefit_system.parameters(period).gov.rate.NORTH
        return baseline.populations["person"]("tax", period) + rate + baseline.populations["person"]("former_tax", period)


class given_earnings(Variable):
    value_type = int
    entity = Person
    definition_period = YEAR
    label = "by what names formulas find inputs that were moved: 1 for the one given, 10 for the other"

    def formula(person, period, parameters):
        names = person.simulation.input_variables
        return person("earnings", period) * 0 + 1 * ("earnings" in names) + 10 * ("earnings_before" in names)


class youngest(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "infinite for adults"

    def formula(person, period, parameters):
        return where(person("is_adult", period), np.inf, person("age", period))


class settled(Variable):
    value_type = bool
    entity = Household
    definition_period = ETERNITY
    label = "an input that never changes"


class settled_after_raise(Variable):
    value_type = bool
    entity = Person
    definition_period = YEAR
    label = "what a branch knows of an input that never changes, once it was given another one"

    def formula(person, period, parameters):
        branch = person.simulation.get_branch("settling")
        branch.set_input("wage", period, person("wage", period) + 100)
        return branch.person.household("settled", period)


class line(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "a point of the line"

    def formula(person, period, parameters):
        return parameters(period).gov.growing + person("age", period) * 0


class surcharge(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "amounts of a scale that an index raises"

    def formula(person, period, parameters):
        return parameters(period).gov.surcharge.calc(person("wage", period))


class levy(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "thresholds of scales that an index raises"

    def formula(person, period, parameters):
        p = parameters(period).gov
        return p.levy.calc(person("wage", period)) + p.duty.calc(person("wage", period)) * 1000


class highest_wage(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR
    label = "what a group asks its persons"

    def formula(household, period, parameters):
        return household.max(household.members("chosen_wage", period))


class chosen_wage(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "the wage without the choice, or twice as much with it"

    def formula(person, period, parameters):
        return person("wage", period) * where(person("chooses", period), 2, 1)


class chooses(Variable):
    value_type = bool
    entity = Person
    definition_period = YEAR
    label = "whether the choice pays, as a branch tells that has made it"

    def formula(person, period, parameters):
        branch = person.simulation.get_branch("chosen")
        branch.set_input("chooses", period, person("wage", period) > 0)
        return branch.populations["person"].household("highest_wage", period) > 1000


class doubled_tax(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "the tax of twice the wage, in a branch with a system of its own, which is itself by its name"

    def formula(person, period, parameters):
        branch = person.simulation.get_branch("doubled", clone_system=True)
        branch.get_branch("doubled").set_input("wage", period, person("wage", period) * 2)
        return branch.calculate("tax", period)


class other_law(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "the tax under a law that a formula changes"

    def formula(person, period, parameters):
        branch = person.simulation.get_branch("other", clone_system=True)
        branch.tax_benefit_system.parameters.gov.rate.NORTH.update(start="2020-01-01", value=0.5)
        branch.drop_computed_arrays()
        return branch.calculate("tax", period)


class other_variables(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "the tax without a variable that a formula takes out of everybody's law"

    def formula(person, period, parameters):
        branch = person.simulation.get_branch("without")
        branch.tax_benefit_system.neutralize_variable("wage")
        return branch.calculate("tax", period)


class dues(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "half of earnings"

    def formula(person, period, parameters):
        return person("earnings", period) * 0.5


class earnings_and_dues(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "both"

    def formula(person, period, parameters):
        return person("earnings", period) + person("dues", period)


def cleared(person, name):
    """A branch without the values of all variables but those that were given."""
    branch = person.simulation.get_branch(name, clone_system=True)
    given = set(branch.input_variables)
    for variable in list(branch.tax_benefit_system.variables.keys()):
        if variable not in given:
            branch.delete_arrays(variable)
    return branch


class cleared_other_dues(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "both, with other dues, where moved inputs were deleted: what came before dues stays"

    def formula(person, period, parameters):
        before = person("earnings_and_dues", period)
        branch = cleared(person, "other_dues")
        branch.populations["person"].get_holder("dues").set_input(period, before * 0 + 7)
        return branch.person("earnings_and_dues", period)


class cleared_other_age(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "both, at another age, where moved inputs were deleted: an input comes before everything"

    def formula(person, period, parameters):
        before = person("earnings_and_dues", period)
        branch = cleared(person, "other_age")
        branch.set_input("age", period, person("age", period) + 1)
        return branch.person("earnings_and_dues", period) + before * 0
