from openfisca_core.taxscales import *
