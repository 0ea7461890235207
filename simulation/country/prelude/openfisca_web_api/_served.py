def served(*_, **__):
    raise NotImplementedError("edict serves the web API itself: a package may import its modules but not call them")
