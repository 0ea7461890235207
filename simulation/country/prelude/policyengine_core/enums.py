from openfisca_core.indexed_enums import ENUM_ARRAY_DTYPE, Enum, EnumArray
