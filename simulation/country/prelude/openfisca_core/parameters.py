from _edict import (
    Parameter,
    ParameterAtInstant,
    ParameterNode,
    ParameterNodeAtInstant,
    ParameterScale,
    ParameterScaleBracket,
    VectorialParameterNodeAtInstant,
    load_parameter_file,
)
from openfisca_core.errors import ParameterNotFoundError, ParameterParsingError

Bracket = ParameterScaleBracket
Scale = ParameterScale
ValuesHistory = Parameter
ParameterNotFound = ParameterNotFoundError
