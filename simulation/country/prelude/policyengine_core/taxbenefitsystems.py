import os

import _edict
from openfisca_core.taxbenefitsystems import TaxBenefitSystem as _System
from policyengine_core.parameters import ParameterNode
from policyengine_core.parameters.operations import (
    homogenize_parameter_structures,
    interpolate_parameters,
    propagate_parameter_metadata,
    uprate_parameters,
)


class TaxBenefitSystem(_System):
    entities = None
    variables_dir = None
    parameters_dir = None
    auto_carry_over_input_variables = False
    basic_inputs = None
    modelled_policies = None
    _begun = None

    def __init__(self, entities=None, reform=None):
        if entities is None:
            entities = self.entities
        self._attach(self._begin(entities), list(entities))
        self.group_entity_keys = [entity.key for entity in self.group_entities]
        self.data_modified = False
        if self.variables_dir is not None:
            self.add_variables_from_directory(self.variables_dir)
        if self.parameters_dir is not None:
            self.load_parameters(self.parameters_dir)
            self.parameters.add_child("baseline", self.parameters.clone())
            if reform:
                self.apply_reform_set(reform)
            self.process_parameters()
            self.add_abolition_parameters()

    def _begin(self, entities):
        if not entities:
            raise ValueError("TaxBenefitSystems must have entities defined.")
        return _edict.Draft(entities, False, bool(self.auto_carry_over_input_variables))

    # A constructor of a package's own may give the system its entities and never call the one above.
    @property
    def _draft(self):
        if self._begun is None:
            self._begun = self._begin(self.entities)
        return self._begun

    @_draft.setter
    def _draft(self, draft):
        self._begun = draft

    @property
    def variables(self):
        return self._draft.variables

    @variables.setter
    def variables(self, variables):
        if variables:
            raise AttributeError("the variables of a system cannot be set: add_variable adds one")

    def process_parameters(self):
        root = homogenize_parameter_structures(self.parameters, self.variables)
        root = propagate_parameter_metadata(root)
        root = interpolate_parameters(root)
        root = uprate_parameters(root)
        self.parameters = propagate_parameter_metadata(root)

    def modify_parameters(self, modifier):
        self.parameters = modifier(self.parameters)

    def reset_parameter_caches(self):
        pass

    def add_abolition_parameters(self):
        gov = self.parameters.children.get("gov") if self.parameters is not None else None
        if gov is None or "abolitions" in gov.children:
            return
        switches = {"metadata": {"label": "Abolitions"}}
        for variable in self.variables.values():
            if variable.value_type in (bool, float, int) and not variable.is_input_variable():
                switches[variable.name] = {
                    "description": f"{variable.label} is zero wherever this is true.",
                    "metadata": {"label": f"Abolish {variable.label}", "unit": "bool"},
                    "values": {"0000-01-01": False},
                }
        gov.add_child("abolitions", ParameterNode("gov.abolitions", data=switches))

    def add_variables_from_directory(self, directory):
        for file_path in _edict.python_files(directory):
            if os.path.basename(file_path) != "__init__.py":
                self.add_variables_from_file(file_path)

    def apply_reform_set(self, reform):
        if isinstance(reform, tuple):
            for part in reform:
                self.apply_reform_set(part)
        elif isinstance(reform, dict):
            from policyengine_core.reforms import Reform

            self.apply_reform_set(Reform.from_dict(reform))
        else:
            reform.apply(self)
