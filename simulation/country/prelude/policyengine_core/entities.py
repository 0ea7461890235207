from openfisca_core.entities import *
from openfisca_core.entities import Entity, GroupEntity, Role, build_entity
