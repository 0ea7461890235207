# What makes arrays, turns them, puts them together and takes them apart.
import warnings

import numpy as np
from drawn import FULL, Draw, ask, named

warnings.simplefilter("ignore")
DRAWS = 10
ONE = "atleast_1d atleast_2d atleast_3d ravel squeeze transpose flipud fliplr rot90 flip ndim size shape argwhere nonzero flatnonzero copy diagonal trace tril triu diag diagflat matrix_transpose zeros_like ones_like isreal iscomplex real imag"
for k, name in enumerate(ONE.split()):
    d = Draw(k + 1)
    for _ in range(DRAWS):
        ask(name, named(name), [d.array(d.of(FULL) if name == "nonzero" else None)])
for k, name in enumerate("hstack vstack dstack column_stack stack concatenate append broadcast_arrays".split()):
    d = Draw(k + 101)
    for _ in range(DRAWS):
        a = d.array(d.of(FULL))
        b = d.array(a.shape)
        keywords = {}
        if name in ("stack", "concatenate", "append") and d.below(2):
            keywords["axis"] = d.axis(a.ndim) if name != "stack" else d.below(a.ndim + 1)
        if name in ("broadcast_arrays", "append"):
            ask(name, named(name), [a, d.like(a) if name == "broadcast_arrays" else b], keywords)
        else:
            ask(name, named(name), [[a, b]], keywords)
for k, name in enumerate("array_split split hsplit vsplit dsplit unstack".split()):
    d = Draw(k + 201)
    for _ in range(DRAWS):
        a = d.array()
        cut = d.of([1, 2, 3, [1], [1, 3], [0, 2, 2]])
        if name == "unstack":
            ask(name, named(name), [a], {"axis": d.of([0, -1, 1])})
        else:
            ask(name, named(name), [a, cut], {"axis": d.of([0, -1, 1])} if name in ("array_split", "split") else {})
for k, name in enumerate("swapaxes moveaxis rollaxis roll expand_dims repeat tile resize broadcast_to reshape take delete insert pad compress take_along_axis apply_along_axis apply_over_axes diff ediff1d gradient trapezoid".split()):
    d = Draw(k + 301)
    for _ in range(DRAWS * 2):
        a = d.array(d.of(FULL), types=["int16", "int32", "int64", "float32", "float64"] if name == "ediff1d" else ["bool", "int16", "int32", "int64", "float32", "float64"])
        n = a.ndim
        one, other = d.below(2 * n) - n, d.below(2 * n) - n
        axis = d.axis(n)
        length = a.size if axis is None else a.shape[axis]
        args, keywords = {
            "swapaxes": lambda: ([one, other], {}),
            "moveaxis": lambda: ([one, other], {}),
            "rollaxis": lambda: ([one], {"start": d.below(n + 1)}),
            "roll": lambda: ([d.of([1, -2, 5])], {"axis": axis}),
            "expand_dims": lambda: ([d.of([0, -1, 1])], {}),
            "repeat": lambda: ([d.of([0, 2, [d.below(3) for _ in range(length)]])], {"axis": axis}),
            "tile": lambda: ([d.of([2, (2,), (1, 2), (2, 1, 2), 0])], {}),
            "resize": lambda: ([d.of([3, (2, 2), (5,), (1, 2, 3)])], {}),
            "broadcast_to": lambda: ([(2,) + a.shape], {}),
            "reshape": lambda: ([d.of([-1, (a.size,), (1, -1), (-1, 1), (2, -1), a.shape[::-1]])], {}),
            "take": lambda: ([d.of([0, -1, [0, 0], [[0], [-1]]])], {"axis": axis}),
            "delete": lambda: ([d.of([0, -1, [0], slice(0, 1)])], {"axis": axis}),
            "insert": lambda: ([d.of([0, 1, -1, [0, 1]]), d.of([5, 0])], {"axis": axis}),
            "pad": lambda: ([d.of([1, (1, 2), (0, 1)])], {"mode": d.of(["constant", "edge", "reflect", "symmetric", "wrap"])}),
            "compress": lambda: ([], {"axis": axis}),
            "take_along_axis": lambda: ([np.argsort(a, axis=one, kind="stable")], {"axis": one}),
            "apply_along_axis": lambda: ([], {}),
            "apply_over_axes": lambda: ([], {}),
            "diff": lambda: ([], {"axis": one, "n": d.of([1, 1, 2, 0])}),
            "ediff1d": lambda: ([], d.of([{}, {"to_end": [3]}, {"to_begin": 1, "to_end": [2, 3]}])),
            "gradient": lambda: ([], d.of([{}, {"axis": one}, {"edge_order": 2}])),
            "trapezoid": lambda: ([], d.of([{}, {"axis": one}, {"dx": 0.5}])),
        }[name]()
        if name == "compress":
            ask(name, np.compress, [[d.below(2) for _ in range(length)], a], keywords)
        elif name == "apply_along_axis":
            ask(name, lambda x: np.apply_along_axis(lambda row: row[::-1] if n > 1 else row.sum(), one, x), [a])
        elif name == "apply_over_axes":
            ask(name, lambda x: np.apply_over_axes(np.sum, x, [0, -1]), [a])
        else:
            ask(name, named(name), [a] + args, keywords)
d = Draw(401)
for shape in ((), (3,), (2, 3), (0,), (2, 2, 2)):
    ask("indices", np.indices, [shape])
    ask("ndindex", lambda s: list(np.ndindex(*s)), [shape])
    ask("unravel_index", np.unravel_index, [1, shape])
    ask("zeros", np.zeros, [shape], {"dtype": "int32"})
    ask("full", np.full, [shape, 2.5])
    ask("broadcast_shapes", np.broadcast_shapes, [shape, (1,)])
for _ in range(DRAWS):
    x, y = d.array((3,)), d.array((2,))
    ask("meshgrid", np.meshgrid, [x, y], d.of([{}, {"indexing": "ij"}, {"sparse": True}]))
    ask("ix_", np.ix_, [x > 0, [0, 1]])
    ask("r_", lambda a, b: np.r_[a, b, 1:4, 0], [x, y])
    ask("c_", lambda a, b: np.c_[a, b], [x, d.array((3,))])
    ask("block", lambda a: np.block([[a, a], [a, a]]), [d.array(d.of([(2, 2), (3,), ()]))])
    ask("ravel_multi_index", np.ravel_multi_index, [([0, 1], [2, d.below(4)]), (2, 3)], {"mode": d.of(["raise", "wrap", "clip"])})
    ask("resize", np.resize, [y, (2, 3)])
    ask("ndenumerate", lambda a: [v for _, v in np.ndenumerate(a)], [d.array((2, 2))])
    ask("array_equiv", np.array_equiv, [x, np.stack([x, x])])
    ask("linspace", np.linspace, [d.below(4), d.below(9)], {"num": d.below(5), "endpoint": bool(d.below(2))})
    ask("arange", np.arange, [d.below(4), 5, d.of([1, 2, 0.5])])
    ask("eye", np.eye, [d.below(4)], {"k": d.of([0, 1, -1]), "dtype": d.of(["int64", "float32", "bool"])})
    ask("tri", np.tri, [3, 2], {"k": d.of([0, 1, -1])})
print(np.mgrid[0:2, 0:3].tolist(), [g.tolist() for g in np.ogrid[0:2, 0:3]], np.s_[1:3], np.index_exp[1:3], np.fromfunction(lambda i, j: i + j, (2, 2)).tolist())
