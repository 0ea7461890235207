from _edict import Simulation, calculate_output_add, calculate_output_divide
from openfisca_core.errors import CycleError, NaNCreationError, SpiralError


class SimulationBuilder:
    # Packages name it in code that makes simulations of their own, which is not for formulas.
    def __init__(self, *_, **__):
        raise NotImplementedError("SimulationBuilder: simulations are made of situations here, not by packages")
