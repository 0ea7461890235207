from openfisca_core.commons import *
from openfisca_core.commons import apply_thresholds, average_rate, concat, empty_clone, marginal_rate, stringify_array, switch
