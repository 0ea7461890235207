from _edict import Enum, EnumArray
from numpy import int16 as ENUM_ARRAY_DTYPE
