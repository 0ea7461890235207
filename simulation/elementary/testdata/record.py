"""Records numpy's answers: python3 record.py > answers.txt, with numpy 2 on an x86-64 processor with AVX-512.

Each line is a function, then "all" and the CRC-32 of its results for every 16384 of a million inputs, or "hard", the
bits of one input, of the exponent for powers, and of the result; "dot of", a length, and the bits of the results in
32 and in 64 bits. elementary_test.go makes the same inputs.
"""

import zlib

import numpy

UNARY = "exp log log1p log10 expm1 sin cos log2 exp2".split()
EXPONENTS = [0.3, 0.5, 0.7, 0.25, 0.3333, 1.5, 2, 3, 4, 12, -1, -2, -0.5, 0, 1, -3, 0.1, 2.5, 1e-8, -40, 7, 33.3, 1e30]
# Inputs for which the number of quadrants, or of powers of two, depends on whether the product is rounded (for exp it is,
# for sin and cos it is not); the first of sin is one for which rounding a fused operation to 64 bits first is wrong.
HARD = {
    "exp": "3f851592 bf851592 401b43d5 c01b43d5 4073fce1 c073fce1 40bc893a c0bc893a 40d2b77c c0d2b77c".split(),
    "sin": "3c10000c 4016cbe4 c016cbe4 407b53d2 c07b53d2 40e231d7 c0e231d7 4155a0d9 c155a0d9 416ec2d4".split(),
    "cos": "431ab934 c31ab934 431c4b53 c31c4b53 432293d2 c32293d2 432425f2 c32425f2 4328dc51 c328dc51".split(),
}
# Ends of ranges, special values.
EDGES = """00000000 80000000 00000001 80000001 007fffff 00800000 3f800000 bf800000 7f7fffff ff7fffff 7f800000 ff800000
7fc00000 42b17217 42b17218 42b17219 c2cff1b4 c2cff1b5 c2aeac50 42ad496b 42ad496a c2c80000 3f3504f3 3f3504f4 3f400000
3fc00000 bf7fffff 7f000000 7effffff 47e55dff 47e55e00 478b9a08 478b9a09 42fc0000 42fc0001 43000000 c3160000 c2fc0000
b4000000 34000000 3dcccccd 41200000 42c80000 447a0000 461c4000""".split()


def bits(array):
    array = numpy.where(numpy.isnan(array), numpy.float32(numpy.nan), array)
    return array.view(numpy.uint32) & numpy.where(numpy.isnan(array), 0x7FFFFFFF, 0xFFFFFFFF).astype(numpy.uint32)


def digests(results):
    return " ".join("%08x" % zlib.crc32(bits(part).tobytes()) for part in numpy.split(results, len(results) // 16384))


def floats(words):
    return numpy.array([int(w, 16) for w in words], numpy.uint32).view(numpy.float32)


numpy.seterr(all="ignore")
x = (numpy.arange(1 << 20, dtype=numpy.uint32) * numpy.uint32(4099)).view(numpy.float32)
x = bits(x).view(numpy.float32)
y = numpy.resize(numpy.array(EXPONENTS, numpy.float32), len(x))
for name in UNARY:
    print(name, "all", digests(getattr(numpy, name)(x)))
    for a in floats(EDGES + HARD.get(name, [])):
        print(name, "hard", "%08x %08x" % (*bits(numpy.array([a])), *bits(getattr(numpy, name)(numpy.array([a])))))
print("power", "all", digests(x**y))
print("scalar", "all", digests(numpy.array([a**b for a, b in zip(x[::16], y)], numpy.float32)))
for a in floats(EDGES):
    for b in numpy.array(EXPONENTS, numpy.float32):
        for name, result in ("power", numpy.array([a]) ** numpy.array([b])), ("scalar", numpy.array([a**b])):
            print(name, "hard", "%08x %08x %08x" % (*bits(numpy.array([a])), *bits(numpy.array([b])), *bits(result)))
for n in [*range(1, 70), 95, 96, 97, 127, 128, 160, 1000, 9999, 10000]:
    i = numpy.arange(n, dtype=numpy.int64)
    a, b = (i * 7919 % 10007) * 0.1 - 300, (i * 104729 % 9973) * 0.01
    narrow = numpy.dot(a.astype(numpy.float32), b.astype(numpy.float32))
    print("dot", "of", n, "%08x %016x" % (narrow.view(numpy.uint32), numpy.dot(a, b).view(numpy.uint64)))
