# json.dumps with its options, and encoders of a package's own.
import json
from enum import Enum


class Kind(Enum):
    PART = "Part"


class Part:
    __jsonkeys__ = ("name", "kind")

    def __init__(self, name, kind):
        self.name, self.kind = name, kind


class Encoder(json.JSONEncoder):
    def default(self, o):
        keys = getattr(o, "__jsonkeys__", None)
        if keys is not None:
            return {k: getattr(o, k) for k in keys}
        if isinstance(o, Enum):
            return o.value
        return super().default(o)


print(json.dumps([Part("é", Kind.PART), {"x": (1, 2.5, None, True), 3: "a\"b\n", None: 1e30, True: -0.0}], cls=Encoder))
print(json.dumps({"b": [], "a": {"c": [1, {}], "é": float("inf")}}, indent=2, sort_keys=True, ensure_ascii=False))
print(json.dumps([1, {"a": 2}], separators=(",", ":")), json.dumps({1, 2}, default=sorted), json.dumps(10**30), json.dumps([]), json.dumps({}))
print(Encoder().encode({"a": Kind.PART}), json.loads(json.dumps({"a": [1.5, "é"]})), json.dumps([float("nan"), float("-inf")]))
for wrong in (lambda: json.dumps(object(), cls=Encoder), lambda: json.dumps({(1, 2): 3}), lambda: json.dumps({1})):
    try:
        wrong()
    except TypeError as e:
        print(e)
