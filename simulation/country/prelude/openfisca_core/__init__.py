# The Python face of the engine: the modules that country packages import under the name openfisca_core.
# What is here is written in Python because packages subclass it; the rest is Go, in module _edict.
