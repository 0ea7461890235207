from pathlib import Path

from openfisca_core.parameters import ParameterNode, load_parameter_file
from openfisca_core.taxbenefitsystems.tax_benefit_system import TaxBenefitSystem

from feature_modules import entities

HERE = Path(__file__).resolve().parent


class CountryTaxBenefitSystem(TaxBenefitSystem):
    # Everything is found by objects of pathlib, and by patterns.
    def __init__(self):
        super().__init__(entities.entities)
        self.add_variables_from_directory(HERE / "variables" / "more")
        for file in sorted((HERE / "variables").glob("p*.py")):
            self.add_variables_from_file(str(file))
        from feature_modules.variables.kinds import bonus

        self.add_variable(bonus)
        self.load_parameters(HERE / "parameters")
        self.parameters.add_child("other", ParameterNode("other", directory_path=HERE / "parameters"))
        self.parameters.add_child("again", load_parameter_file(HERE / "parameters" / "rate.yaml", "again"))
