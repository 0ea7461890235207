from _edict import Variable, get_neutralized_variable
from openfisca_core.variables.config import FORMULA_NAME_PREFIX, VALUE_TYPES
