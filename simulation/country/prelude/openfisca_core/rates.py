from openfisca_core.commons import average_rate, marginal_rate
