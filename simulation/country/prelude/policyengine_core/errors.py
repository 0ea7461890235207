from openfisca_core.errors import *
from openfisca_core.errors import ParameterNotFoundError, VariableNameConflictError, VariableNotFoundError
