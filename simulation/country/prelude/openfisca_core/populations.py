from _edict import GroupPopulation, Population

ADD = "add"
DIVIDE = "divide"
