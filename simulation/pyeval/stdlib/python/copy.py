from _files import copy, deepcopy


class Error(Exception):
    pass
