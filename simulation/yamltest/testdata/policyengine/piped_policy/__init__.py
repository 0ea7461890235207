from pathlib import Path

from policyengine_core import periods
from policyengine_core.parameters import Parameter
from policyengine_core.parameters.operations.homogenize_parameters import homogenize_parameter_structures
from policyengine_core.parameters.operations.propagate_parameter_metadata import propagate_parameter_metadata
from policyengine_core.parameters.operations.uprate_parameters import uprate_parameters
from policyengine_core.periods import YEAR
from policyengine_core.reforms import Reform
from policyengine_core.simulations import Simulation as CoreSimulation
from policyengine_core.taxbenefitsystems import TaxBenefitSystem
from policyengine_core.variables import Variable

from piped_policy.entities import Household, entities

HERE = Path(__file__).parent


def in_region(region):
    def formula(household, period, parameters):
        return household("region", period).decode_to_str() == region

    return formula


def region_variables():
    return [
        type(region, (Variable,), {"definition_period": YEAR, "label": region, "value_type": bool, "entity": Household, "formula": in_region(region), "module_name": "", "hidden_input": True})
        for region in ("NORTH", "SOUTH")
    ]


def backdate(root, first):
    first = periods.Instant(tuple(int(part) for part in first.split("-")))
    for parameter in root.get_descendants():
        if hasattr(parameter, "values_list"):
            earliest = parameter.values_list[-1]
            start = periods.Instant(tuple(int(part) for part in earliest.instant_str.split("-")))
            if first < start:
                days = (start.date - first.date).days
                parameter.update(period=periods.Period(("day", first, days)), value=earliest.value)
    return root


def add_per_person(parameters, path):
    total, people = parameters.gov.children.get("total"), parameters.gov.people
    values = {entry.instant_str: entry.value / people(entry.instant_str) for entry in total.values_list}
    parent = parameters.gov
    if parent.children.get("total_each") is not None:
        del parent.children["total_each"]
    parent.add_child("total_each", Parameter(path, {"description": "each", "metadata": {"unit": "currency-USD", "derived_from": "gov.total"}, "values": values}))
    parent.clear_parent_cache()


def brackets_have_numbers(scale):
    try:
        scale[1]
    except KeyError:
        return scale[0] is scale.brackets[0] and scale[-1] is scale.brackets[-1]
    return False


def structural(parameters, period):
    if not parameters(period).gov.contrib.in_effect:
        return None

    class tax(Variable):
        def formula(person, period, parameters):
            return person("wage", period) / 2

    class reform(Reform):
        def apply(self):
            self.update_variable(tax)

    return reform


class Rates:
    def __init__(self):
        self._known = {}

    def rate(self, year):
        if year not in self._known:
            self._known[year] = 0.25 if year >= 2020 else 0
        return self._known[year]


class CountryTaxBenefitSystem(TaxBenefitSystem):
    variables_dir = HERE / "variables"
    auto_carry_over_input_variables = True
    modelled_policies = HERE / "programs.yaml"

    def __init__(self, reform=None):
        super().__init__(entities, reform=reform)
        self.provider = Rates()
        self.load_parameters(HERE / "parameters")
        self.add_abolition_parameters()
        if not brackets_have_numbers(self.parameters.gov.bands):
            raise ValueError("brackets by number")
        self.parameters = homogenize_parameter_structures(self.parameters, self.variables)
        self.parameters = propagate_parameter_metadata(self.parameters)
        add_per_person(self.parameters, "gov.total_each")
        self.parameters = uprate_parameters(self.parameters)
        for variable in self.variables.values():
            if variable.is_input_variable() and variable.value_type is float and variable.unit == "currency-USD" and variable.uprating is None:
                variable.uprating = "gov.total"
            self.variables[variable.name] = variable
        self.parameters = backdate(self.parameters, first="2015-01-01")
        found = structural(self.parameters, "2024-01-01")
        kept = tuple(filter(lambda x: x is not None, [found]))

        class combined_reform(Reform):
            def apply(self):
                for reform in kept:
                    reform.apply(self)

        for parameter in self.parameters.get_descendants():
            parameter.modified = False
        self.apply_reform_set(((), combined_reform))
        self.add_variables(*region_variables())
        for variable in self.variables.values():
            if variable.uprating == "gov.total":
                variable.uprating = "gov.total_each"

    def clone(self):
        return TaxBenefitSystem.clone(self)


system = CountryTaxBenefitSystem()


class Simulation(CoreSimulation):
    default_tax_benefit_system_instance = system
