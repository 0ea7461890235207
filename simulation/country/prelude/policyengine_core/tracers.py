# What a calculation asked for is recorded by edict itself (edict test --verbose, /trace).
class SimpleTracer:
    pass


class FullTracer(SimpleTracer):
    pass
