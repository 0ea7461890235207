from _edict import EmptyArgumentError, ParameterNotFoundError, VariableNotFoundError


class CycleError(Exception):
    pass


class NaNCreationError(Exception):
    pass


class ParameterParsingError(Exception):
    pass


class PeriodMismatchError(ValueError):
    pass


class SituationParsingError(Exception):
    pass


class SpiralError(Exception):
    pass


class VariableNameConflictError(Exception):
    pass


ParameterNotFound = ParameterNotFoundError
VariableNameConflict = VariableNameConflictError
VariableNotFound = VariableNotFoundError
