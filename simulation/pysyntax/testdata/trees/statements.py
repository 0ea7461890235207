from __future__ import annotations
import os, os.path as p
from . import a
from ..b.c import (d as e, f,)
from g import *

x: int = 1
x: str
(y): int = 2
a.b: int
a[0]: int = 3
x += 1; y **= 2; a[0] //= 3; a.b @= 4; z >>= 1; z <<= 1; z |= 1; z &= 1; z ^= 1; z %= 2; z -= 1; z *= 2; z /= 2
a = b = c, d = e
first, *rest = (g, [h, i]) = j
del a, b[0], c.d, (e, f)
assert x, 'message'
assert y


@dec
@dec.orator(1)
def f(a, b: int = 1, *args: str, c, d=2, **kw) -> "ret":
    """Doc."""
    global g1, g2
    def inner(x=a, *, y):
        nonlocal b
        b = yield x
        z = yield
        yield from y
        return
    if a:
        pass
    elif b:
        return 1, 2
    elif c:
        raise
    else:
        raise E(1) from None
    while a:
        break
    else:
        continue_ = 1
    for i, (j, *k) in 1, 2:
        continue
    else:
        pass
    try:
        x
    except A:
        y
    except (B, C) as e:
        z
    except:
        raise X
    else:
        w
    finally:
        v
    with a as b, c, d as (e, f), g as h.i[0]:
        pass
    with (a as b, c as d):
        pass
    return (yield)


class A: pass
class B(A, metaclass=M, **kw):
    x = 1
    @property
    def y(self): return self.x
class C():
    ...
if x:
    if y:
        pass
    else:
        pass
else:
    if z:
        pass
    a = 1
