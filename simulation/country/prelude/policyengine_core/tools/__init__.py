from openfisca_core.tools import *
from openfisca_core.commons import eval_expression
