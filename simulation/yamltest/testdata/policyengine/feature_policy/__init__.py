from pathlib import Path

from policyengine_core.taxbenefitsystems import TaxBenefitSystem

from feature_policy.entities import entities

HERE = Path(__file__).parent


class CountryTaxBenefitSystem(TaxBenefitSystem):
    entities = entities
    variables_dir = HERE / "variables"
    parameters_dir = HERE / "parameters"
    auto_carry_over_input_variables = True


system = CountryTaxBenefitSystem()
