# Exceptions.
class MyError(ValueError):
    def __init__(self, code, msg):
        super().__init__(msg)
        self.code = code


def risky(n):
    try:
        if n == 0:
            return 'ok'
        if n == 1:
            raise MyError(7, 'mine')
        if n == 2:
            {}['missing']
        if n == 3:
            [][1]
        if n == 4:
            1 / 0
        if n == 5:
            raise KeyError
        int('x')
    except MyError as e:
        return 'my', e.code, str(e), e.args
    except (KeyError, IndexError) as e:
        return type(e).__name__, str(e)
    except ArithmeticError as e:
        return 'arith', e.args
    else:
        return 'else'
    finally:
        print('finally', n)


for i in range(7):
    try:
        print(risky(i))
    except ValueError as e:
        print('outer', e)


def chain():
    try:
        try:
            raise KeyError('inner')
        except KeyError as e:
            raise RuntimeError('outer') from e
    except RuntimeError as e:
        return repr(e), repr(e.__cause__)


print(chain())


def reraise():
    try:
        raise ValueError('again')
    except ValueError:
        raise


try:
    reraise()
except Exception as e:
    print(type(e), e)


def swallow():
    try:
        raise ValueError
    finally:
        return 'swallowed'


print(swallow())


def loop():
    out = []
    for i in range(5):
        try:
            if i == 1:
                continue
            if i == 3:
                break
            out.append(i)
        finally:
            out.append('f')
    return out


print(loop())
try:
    assert 1 == 2, 'message'
except AssertionError as e:
    print(e)
try:
    raise NotImplementedError
except RuntimeError as e:
    print(repr(e))
try:
    None.x
except AttributeError as e:
    print(e)
try:
    'a' + 1
except TypeError as e:
    print(e)
try:
    1 + 'a'
except TypeError as e:
    print(e)
try:
    [1, 2] < 3
except TypeError as e:
    print(e)
try:
    a, b = 1, 2, 3
except ValueError as e:
    print(e)
try:
    len(5)
except TypeError as e:
    print(e)
try:
    for x in 5:
        pass
except TypeError as e:
    print(e)
try:
    (lambda a: a)()
except TypeError as e:
    print(e)
try:
    {}[[]]
except TypeError as e:
    print(e)


def deep(n):
    return deep(n + 1)


try:
    deep(0)
except RecursionError as e:
    print('RecursionError')


def gen():
    try:
        yield 1
        raise ValueError('from generator')
    except ValueError as e:
        yield str(e)


print(list(gen()))
try:
    next(iter([]))
except StopIteration:
    print('stop')
try:
    try:
        raise KeyError('a')
    except KeyError:
        raise ValueError('b')
except ValueError as e:
    print(repr(e.__context__))
