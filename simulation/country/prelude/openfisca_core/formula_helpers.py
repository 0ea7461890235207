from openfisca_core.commons import apply_thresholds, concat, switch
