from _edict import Population as Projector
