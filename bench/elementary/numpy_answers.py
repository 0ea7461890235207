"""Answers what numpy computes: python3 -c SCRIPT FUNCTION TYPE OPERANDS BLOCK.

A block of operands is read from standard input, the results are written to standard output, until the input ends.
OPERANDS is "array", "arrays" (two of them), "scalar" (one scalar after another) or a number, the exponent of **.
"""

import sys

import numpy

name, dtype, operands, block = sys.argv[1], numpy.dtype(sys.argv[2]), sys.argv[3], int(sys.argv[4])
numpy.seterr(all="ignore")
function = getattr(numpy, name)


def answer(a, b):
    if operands == "array":
        return function(a)
    if operands == "arrays":
        return a**b
    if operands == "scalars":
        return numpy.array([x**y for x, y in zip(a, b)], dtype)
    return a ** float(operands)


def read():
    return numpy.frombuffer(sys.stdin.buffer.read(block * dtype.itemsize), dtype)


while len(a := read()):
    b = read() if operands in ("arrays", "scalars") else None
    result = answer(a, b)
    assert result.dtype == dtype, result.dtype
    sys.stdout.buffer.write(result.tobytes())
    sys.stdout.buffer.flush()
