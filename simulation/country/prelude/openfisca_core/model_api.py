from datetime import date

from numpy import logical_not as not_
from numpy import maximum as max_
from numpy import minimum as min_
from numpy import round as round_
from numpy import select, where

from openfisca_core.commons import apply_thresholds, concat, switch
from openfisca_core.holders import set_input_dispatch_by_period, set_input_divide_by_period
from openfisca_core.indexed_enums import Enum
from openfisca_core.parameters import Bracket, Parameter, ParameterNode, Scale, ValuesHistory, load_parameter_file
from openfisca_core.periods import DAY, ETERNITY, MONTH, YEAR, period
from openfisca_core.populations import ADD, DIVIDE
from openfisca_core.reforms import Reform
from openfisca_core.simulations import calculate_output_add, calculate_output_divide
from openfisca_core.variables import Variable

__all__ = [
    "ADD", "Bracket", "DAY", "DIVIDE", "ETERNITY", "Enum", "MONTH", "Parameter", "ParameterNode", "Reform", "Scale",
    "ValuesHistory", "Variable", "YEAR", "apply_thresholds", "calculate_output_add", "calculate_output_divide", "concat",
    "date", "load_parameter_file", "max_", "min_", "not_", "period", "round_", "select", "set_input_dispatch_by_period",
    "set_input_divide_by_period", "switch", "where",
]

try:
    from openfisca_core.base_functions import *

    __all__ += [
        "missing_value", "permanent_default_value", "requested_period_default_value", "requested_period_last_or_next_value",
        "requested_period_last_value",
    ]
except ImportError:  # gone since version 31
    pass
