from openfisca_core.projectors import *
from openfisca_core.projectors import Projector, projectable
