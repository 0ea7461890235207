from _edict import Population as Projector

EntityToPersonProjector = Projector
FirstPersonToEntityProjector = Projector
UniqueRoleToEntityProjector = Projector


def projectable(function):
    function.projectable = True
    return function
