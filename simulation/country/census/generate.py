"""Writes names.txt: what packages may call by name, of the Python that runs this, the numpy and the openfisca_core that it has.

    python generate.py NUMPY_1_DIRECTORY > names.txt

NUMPY_1_DIRECTORY has another numpy, whose names are added (pip install --target DIRECTORY numpy==1.26.4). A line is a name.
"""

import builtins
import importlib
import json
import pkgutil
import subprocess
import sys

NUMPY = """
import json, numpy
print(json.dumps(["numpy." + n for n in dir(numpy) if not n.startswith("_")]
    + ["numpy.ndarray." + n for n in dir(numpy.ndarray) if not n.startswith("_")]
    + ["numpy.dtype." + n for n in dir(numpy.dtype("f8")) if not n.startswith("_")]))
"""
TYPES = ("bool", "bytes", "complex", "dict", "float", "frozenset", "int", "list", "object", "range", "set", "slice", "str", "tuple")


def numpy_names(directory=None):
    path = f"import sys; sys.path.insert(0, {directory!r})\n" if directory else ""
    return json.loads(subprocess.run([sys.executable, "-W", "ignore", "-c", path + NUMPY], check=True, capture_output=True, text=True).stdout)


def builtin_names():
    yield from ("builtins." + name for name in dir(builtins) if not name.startswith("_") and name not in ("copyright", "credits", "exit", "license", "quit"))
    for name in TYPES:
        yield from (f"{name}.{method}" for method in dir(getattr(builtins, name)) if not method.startswith("_"))


def core_names():
    import openfisca_core

    for found in pkgutil.walk_packages(openfisca_core.__path__, "openfisca_core."):
        parts = found.name.split(".")
        if any(part.startswith("_") or part in ("scripts", "test_runner") for part in parts) or len(parts) > 2:
            continue
        try:
            module = importlib.import_module(found.name)
        except ImportError:
            continue
        for name, value in vars(module).items():
            if not name.startswith("_") and str(getattr(value, "__module__", "openfisca_core")).startswith("openfisca_core") and type(value).__name__ != "module":
                yield f"{found.name}.{name}"


if __name__ == "__main__":
    names = {*numpy_names(), *numpy_names(sys.argv[1]), *builtin_names(), *core_names()}
    print("\n".join(sorted(names)))
