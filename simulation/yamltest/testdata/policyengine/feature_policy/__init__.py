from pathlib import Path

from policyengine_core.simulations import Simulation as CoreSimulation
from policyengine_core.taxbenefitsystems import TaxBenefitSystem

from feature_policy.entities import entities

HERE = Path(__file__).parent


class CountryTaxBenefitSystem(TaxBenefitSystem):
    entities = entities
    variables_dir = HERE / "variables"
    parameters_dir = HERE / "parameters"
    auto_carry_over_input_variables = True

    def __init__(self, reform=None):
        super().__init__(entities, reform=reform)


system = CountryTaxBenefitSystem()


class Simulation(CoreSimulation):
    default_tax_benefit_system = CountryTaxBenefitSystem
    default_tax_benefit_system_instance = system
    default_input_period = 2020
    default_calculation_period = 2020

    def __init__(self, situation=None, reform=None):
        super().__init__(situation=situation, reform=reform)
        earnings = self.get_holder("earnings")
        for known_period in earnings.get_known_periods():
            array = earnings.get_array(known_period)
            self.set_input("earnings_before", known_period, array)
            earnings.delete_arrays(known_period)
        self.move_values("tips", "tips_before")
        self.baseline = self.clone() if reform is None else Simulation(situation=situation)

    def move_values(self, donor, target):
        holder = self.get_holder(donor)
        for known_period in holder.get_known_periods():
            self.set_input(target, known_period, holder.get_array(known_period))
            holder.delete_arrays(known_period)
