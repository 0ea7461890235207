from _edict import GroupPopulation, Population, Projector

CorePopulation = Population
SinglePopulation = Population

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
