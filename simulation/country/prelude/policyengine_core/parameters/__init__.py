from openfisca_core.parameters import *
from openfisca_core.parameters import (
    Parameter,
    ParameterAtInstant,
    ParameterNode,
    ParameterNodeAtInstant,
    ParameterNotFoundError,
    ParameterScale,
    ParameterScaleBracket,
    VectorialParameterNodeAtInstant,
    load_parameter_file,
)
from policyengine_core.parameters.operations import (
    get_parameter,
    homogenize_parameter_structures,
    interpolate_parameters,
    propagate_parameter_metadata,
    uprate_parameters,
)
