from _edict import Simulation, calculate_output_add, calculate_output_divide
from openfisca_core.errors import CycleError, NaNCreationError, SpiralError
