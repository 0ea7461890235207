import _edict
from openfisca_core.periods import unit_weight
from openfisca_core.simulations import SimulationBuilder, calculate_output_add, calculate_output_divide


from policyengine_core.reforms import Reform


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


class _Noted:
    # What a reform is applied to, to learn what it would do.
    def __init__(self):
        self._done = []

    def __getattr__(self, name):
        def note(*args, **_):
            what = args[0] if args else ""
            self._done.append(f"{name} {getattr(what, '__name__', what)}")

        return note


def _switched(create, system, day):
    # What the reforms do that the parameters of a system switch on.
    found = create(system.parameters, day)
    if found is None:
        return []
    noted = _Noted()
    found.apply(noted)
    return noted._done


class _Switched(Reform):
    # A system with the reforms that its parameters switch on.
    def __init__(self, baseline, create, day):
        self._create, self._day = create, day
        super().__init__(baseline)

    def apply(self):
        self.apply_reform_set(self._create(self.parameters, self._day))
