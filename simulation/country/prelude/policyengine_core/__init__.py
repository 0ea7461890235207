# The Python face of PolicyEngine's rules. Most of it is openfisca_core's; what differs is here and in module _edict.
import _edict

_edict.policyengine()
