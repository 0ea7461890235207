# Functions are compiled here anyway; what numba is told about their types has no effect.
def jit(*signature, **options):
    if len(signature) == 1 and callable(signature[0]) and not options:
        return signature[0]
    return lambda function: function


njit = jit


def vectorize(*signature, **options):
    import numpy

    if len(signature) == 1 and callable(signature[0]):
        return numpy.vectorize(signature[0])
    return numpy.vectorize


class _Type:
    def __init__(self, name):
        self._name = name

    def __call__(self, *arguments):
        return self

    def __getitem__(self, shape):
        return self

    def __repr__(self):
        return self._name


boolean = _Type("bool")
int8, int16, int32, int64 = _Type("int8"), _Type("int16"), _Type("int32"), _Type("int64")
float32, float64 = _Type("float32"), _Type("float64")
void = _Type("none")
prange = range
