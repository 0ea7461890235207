# json.loads: every form of a value, and what is said about texts that are no JSON.
import json

for text in (
    ' {"a" : [1, -2, 0, 1.5, -0.0, 1e3, 2E-2, 12345678901234567890123], "é": "ü", "": null, "t": true, "f": false} ',
    "[]", "{}", "[[], {}, [{}]]", '"x"', "-7", "0", "NaN", "[Infinity, -Infinity]", "1e999",
    r'"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00 \u20ac end"', '{"a": 1, "b": 2, "a": 3}', '{"k0":0,"k1":1,"k2":2,"k3":3,"k4":4,"k5":5,"k6":6,"k7":7,"k8":8,"k9":9,"k3":33}',
):
    v = json.loads(text)
    print(repr(v), type(v).__name__)
print(json.loads(b'{"a": "\xc3\xa9"}'))
for text in (
    "", " ", "[", "[1", "[1,", "[1,]", "[1 2]", "{", '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', '{"a" 1}', "{1: 2}", "{'a': 1}", '{"a": 1 "b": 2}',
    '"abc', '"a\\', '"a\nb"', r'"\x"', r'"\u12"', r'"\u12g4"', "tru", "nul", "-", "- 1", "+1", ".5", "1.", "1.e3", "01", "1 2", "[1] x", '["é",\n\n  x]',
):
    try:
        print(repr(text), json.loads(text))
    except json.JSONDecodeError as e:
        print(repr(text), e)
table = json.loads('{"k0":0,"k1":1,"k2":2,"k3":3,"k4":4,"k5":5,"k6":6,"k7":7,"k8":8,"k9":9}')
few = json.loads('{"a": 1, "b": 2}')
del few["a"]
few["c"], few[1], few[(1, 2)], few[None] = 3, 4, 5, 6
print(table["k9"], "k10" in table, few, few[1], few[1.0], few[True], few[(1, 2)], few[None], "a" in few, 2 in few)
for i in range(12):
    few[i], few[str(i)] = i, -i
del few["c"], few[3]
print(few, few["11"], few[11], few.get("c"), few.get(3), few[None], list(few)[-1])

# What makes objects and numbers in place of Python's own
print(json.loads('{"a": {"b": 1}, "c": [{"d": 2.5}]}', object_hook=lambda d: sorted(d.items())))
print(json.loads('{"a": 1, "a": {"b": 2}}', object_pairs_hook=lambda pairs: pairs))
print(json.loads('[1, 2.50, -3, 1e2, NaN, Infinity, -Infinity, true]', parse_float=lambda t: "f" + t, parse_int=lambda t: "i" + t, parse_constant=lambda t: "c" + t))
print(json.loads("[1, {}]", object_hook=None, parse_float=None))
try:
    json.loads("1", unknown=3)
except TypeError:
    print("no such argument")
try:
    json.loads("-I")
except json.JSONDecodeError as e:
    print(e)
