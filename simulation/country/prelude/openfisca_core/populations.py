from _edict import GroupPopulation, Population

CorePopulation = Population
SinglePopulation = Population
Projector = Population

ADD = "add"
DIVIDE = "divide"


class IncompatibleOptionsError(ValueError):
    pass


class InvalidArraySizeError(ValueError):
    pass


class InvalidOptionError(ValueError):
    pass


class PeriodValidityError(ValueError):
    pass
