import _edict
from openfisca_core.periods import unit_weight
from openfisca_core.simulations import SimulationBuilder, calculate_output_add, calculate_output_divide


class _Made:
    # Packages derive simulations of their own to say what they are about; they are made of situations here.
    def __init__(self, *_, **__):
        raise NotImplementedError(f"{type(self).__name__}: simulations are made of situations here, not by packages")


class Simulation(_Made):
    default_tax_benefit_system = None
    default_tax_benefit_system_instance = None
    default_dataset = None
    default_role = None
    default_input_period = None
    default_calculation_period = None


class Microsimulation(Simulation):
    default_dataset_year = None


class IndividualSim(Simulation):
    pass


def _uprating_index_value(parameter, instant):
    # The index on a day; where it has no value, the last one before, else its first.
    value = parameter(instant)
    if value is not None:
        return value
    known = [entry for entry in parameter.values_list if entry.value is not None]
    before = [entry for entry in known if entry.instant_str <= str(instant)]
    if before:
        return before[0].value
    return known[-1].value if known else None


def _latest_input_key(period, definition_period):
    # What sorts inputs by how well they stand for a later period.
    return (period.unit == definition_period, period.start, period.stop, unit_weight(period.unit), str(period))
