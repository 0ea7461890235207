from _files import import_module
from importlib import resources
