from _edict import Variable, get_neutralized_variable
