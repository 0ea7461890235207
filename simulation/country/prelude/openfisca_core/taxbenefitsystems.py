import os

import numpy

import _edict
from openfisca_core.errors import VariableNotFoundError
from openfisca_core.variables import VALUE_TYPES


class _Unmade:
    """What a system is before its constructor ran."""

    def __getattr__(self, name):
        raise TypeError("the system has no entities yet: its __init__ must call super().__init__(entities) first; an extension has no system and is loaded into a country package")

    def __setattr__(self, name, value):
        self.__getattr__(name)


class TaxBenefitSystem:
    _draft = _Unmade()
    baseline = None
    cache_blacklist = None
    decomposition_file_path = None
    person_key_plural = None
    preprocess_parameters = None

    def __init__(self, entities):
        if not entities:
            raise Exception("a tax and benefit system needs at least one entity")
        wide = numpy.dtype(VALUE_TYPES[float]["dtype"]) == numpy.dtype(numpy.float64)
        self._attach(_edict.Draft(entities, wide), list(entities))
        self.open_api_config = {}

    def _attach(self, draft, entities):
        self._draft = draft
        self.entities = entities
        self.person_entity = [entity for entity in entities if entity.is_person][0]
        self.group_entities = [entity for entity in entities if not entity.is_person]

    @property
    def variables(self):
        return self._draft.variables

    @property
    def parameters(self):
        return self._draft.parameters

    @parameters.setter
    def parameters(self, root):
        self._draft.parameters = root

    @property
    def base_tax_benefit_system(self):
        return self if self.baseline is None else self.baseline.base_tax_benefit_system

    def add_variable(self, variable):
        return self._draft.add_variable(variable)

    def add_variables(self, *variables):
        for variable in variables:
            self.add_variable(variable)

    def add_variables_from_file(self, file_path):
        for variable in _edict.variables_of_file(file_path):
            self.add_variable(variable)

    def add_variables_from_directory(self, directory):
        for file_path in _edict.python_files(directory):
            self.add_variables_from_file(file_path)

    def replace_variable(self, variable):
        return self._draft.replace_variable(variable)

    def update_variable(self, variable):
        return self._draft.update_variable(variable)

    def neutralize_variable(self, variable_name):
        self._draft.neutralize_variable(variable_name)

    def annualize_variable(self, variable_name, period=None):
        self._draft.annualize_variable(variable_name, period)

    def get_variable(self, variable_name, check_existence=False):
        variable = self.variables.get(variable_name)
        if variable is None and check_existence:
            raise VariableNotFoundError(variable_name, self)
        return variable

    def get_variables(self, entity=None):
        if entity is None:
            return self.variables
        return {name: variable for name, variable in self.variables.items() if variable.entity.key == entity.key}

    def load_parameters(self, path_to_yaml_dir):
        root = _edict.ParameterNode("", directory_path=path_to_yaml_dir)
        if self.preprocess_parameters is not None:
            root = self.preprocess_parameters(root)
        self.parameters = root

    def get_parameters_at_instant(self, instant):
        return self._draft.parameters_at(instant)

    def load_extension(self, extension):
        directory = _edict.package_directory(extension)
        self.add_variables_from_directory(directory)
        parameters = os.path.join(directory, "parameters")
        if os.path.isdir(parameters):
            self._draft.merge_parameters(_edict.ParameterNode("", directory_path=parameters))

    def apply_reform(self, reform_path):
        return _edict.find_reform(reform_path)(self)

    def entities_by_singular(self):
        return {entity.key: entity for entity in self.entities}

    def entities_plural(self):
        return {entity.plural for entity in self.entities}

    def get_package_metadata(self):
        return _edict.package_metadata()

    def prefill_cache(self):
        pass
