from _edict import Projector

EntityToPersonProjector = Projector
FirstPersonToEntityProjector = Projector
UniqueRoleToEntityProjector = Projector


def projectable(function):
    function.projectable = True
    return function
