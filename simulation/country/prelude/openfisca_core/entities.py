from _edict import Entity, GroupEntity, Role, build_entity

SingleEntity = Entity
CoreEntity = Entity
