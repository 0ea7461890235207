import math
from fractions import _gcd

ROUND_CEILING, ROUND_FLOOR, ROUND_UP, ROUND_DOWN = "ROUND_CEILING", "ROUND_FLOOR", "ROUND_UP", "ROUND_DOWN"
ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN = "ROUND_HALF_UP", "ROUND_HALF_DOWN", "ROUND_HALF_EVEN"


class DecimalException(ArithmeticError):
    pass


class InvalidOperation(DecimalException):
    pass


class FloatOperation(DecimalException, TypeError):
    pass


class DivisionByZero(DecimalException, ZeroDivisionError):
    pass


class Context:
    def __init__(self, prec=28, rounding=ROUND_HALF_EVEN, **_):
        self.prec, self.rounding = prec, rounding

    def copy(self):
        return Context(self.prec, self.rounding)


_default = Context()
_current = {}  # what is put here holds for the calculation under way


def _now():
    return _current.get("context") or _default


def setcontext(context):
    _current["context"] = context


def getcontext():
    if "context" not in _current:
        setcontext(_default.copy())
    return _now()


class localcontext:
    def __init__(self, ctx=None, **settings):
        self._context = (ctx or _now()).copy()
        for name, value in settings.items():
            setattr(self._context, name, value)

    def __enter__(self):
        self._before = _now()
        setcontext(self._context)
        return self._context

    def __exit__(self, *_):
        setcontext(self._before)


def _divided(above, below, rounding):
    # above / below as a whole number; below is positive.
    sign = -1 if above < 0 else 1
    whole, rest = divmod(abs(above), below)
    if rest:
        twice = 2 * rest - below
        away = {
            ROUND_UP: True,
            ROUND_DOWN: False,
            ROUND_CEILING: sign > 0,
            ROUND_FLOOR: sign < 0,
            ROUND_HALF_UP: twice >= 0,
            ROUND_HALF_DOWN: twice > 0,
            ROUND_HALF_EVEN: twice > 0 or twice == 0 and whole % 2 == 1,
        }[rounding or _now().rounding]
        whole += away
    return sign * whole


class Decimal:
    # A whole number times a power of ten; results have 28 digits unless the context says otherwise.
    def __init__(self, value="0"):
        if isinstance(value, Decimal):
            self._digits, self._power = value._digits, value._power
        elif isinstance(value, str):
            self._digits, self._power = _parse(value)
        elif isinstance(value, float):
            above, below = value.as_integer_ratio()
            power = len(bin(below)) - 3
            self._digits, self._power = above * 5**power, -power
        elif isinstance(value, int):
            self._digits, self._power = int(value), 0
        else:
            raise TypeError(f"conversion from {type(value).__name__} to Decimal is not supported")

    def quantize(self, exp, rounding=None, context=None):
        return self._at(Decimal(exp)._power, rounding)

    def _at(self, power, rounding=None):
        if self._power >= power:
            return _made(self._digits * 10 ** (self._power - power), power)
        return _made(_divided(self._digits, 10 ** (power - self._power), rounding), power)

    def to_integral_value(self, rounding=None, context=None):
        return self if self._power >= 0 else self._at(0, rounding)

    to_integral = to_integral_exact = to_integral_value

    def _fitted(self):
        extra = len(str(abs(self._digits))) - _now().prec
        return self if extra <= 0 else self._at(self._power + extra)._fitted()

    def normalize(self):
        digits, power = self._digits, self._power
        while digits and digits % 10 == 0:
            digits, power = digits // 10, power + 1
        return _made(digits, power if digits else 0)

    def _both(self, other):
        power = min(self._power, other._power)
        return self._at(power)._digits, other._at(power)._digits, power

    def __add__(self, other):
        other = _operand(other)
        a, b, power = self._both(other)
        return _made(a + b, power)._fitted()

    __radd__ = __add__

    def __sub__(self, other):
        return self + -_operand(other)

    def __rsub__(self, other):
        return _operand(other) - self

    def __mul__(self, other):
        other = _operand(other)
        return _made(self._digits * other._digits, self._power + other._power)._fitted()

    __rmul__ = __mul__

    def __truediv__(self, other):
        other = _operand(other)
        if other._digits == 0:
            raise DivisionByZero("[<class 'decimal.DivisionByZero'>]")
        sign = -1 if other._digits < 0 else 1
        best = self._power - other._power
        if self._digits % abs(other._digits) == 0:
            return _made(sign * self._digits // abs(other._digits), best)._fitted()
        more = _now().prec + 1 + max(0, len(str(abs(other._digits))) - len(str(abs(self._digits))))
        above, below = sign * self._digits * 10**more, abs(other._digits)
        power = best - more
        if above % below:
            return _made(10 * _divided(above, below, ROUND_DOWN) + (1 if sign * self._digits > 0 else -1), power - 1)._fitted()
        exact = _made(above // below, power)._fitted()
        digits, power = exact._digits, exact._power
        while digits % 10 == 0 and power < best:
            digits, power = digits // 10, power + 1
        return _made(digits, power)

    def __rtruediv__(self, other):
        return _operand(other) / self

    def __divmod__(self, other):
        # The quotient is cut towards zero, and the rest has the sign of what is divided.
        a, b, power = self._both(_operand(other))
        if b == 0:
            raise DivisionByZero("[<class 'decimal.DivisionByZero'>]")
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return _made(quotient, 0), _made(a - b * quotient, power)._fitted()

    def __floordiv__(self, other):
        return self.__divmod__(other)[0]

    def __mod__(self, other):
        if _operand(other)._digits == 0:
            raise InvalidOperation("[<class 'decimal.InvalidOperation'>]")
        return self.__divmod__(other)[1]

    def __rfloordiv__(self, other):
        return _operand(other) // self

    def __rmod__(self, other):
        return _operand(other) % self

    def __pow__(self, other):
        n = _operand(other)
        if n != int(n):
            raise NotImplementedError("decimal: powers are whole numbers here")
        whole = _made(self._digits ** abs(int(n)), self._power * abs(int(n)))
        return whole._fitted() if n >= 0 else Decimal(1) / whole

    def sqrt(self, context=None):
        if self._digits < 0:
            raise InvalidOperation("[<class 'decimal.InvalidOperation'>]")
        digits, power = (self._digits * 10, self._power - 1) if self._power % 2 else (self._digits, self._power)
        root = math.isqrt(digits)
        if root * root == digits:
            return _made(root, power // 2)._fitted()
        shift = max(0, _now().prec + 1 - len(str(root)))
        # One digit more than are kept, and a last one that says that there is more behind it.
        return _made(math.isqrt(digits * 100**shift) * 10 + 1, power // 2 - shift - 1)._fitted()

    def __neg__(self):
        return _made(-self._digits, self._power)

    def __pos__(self):
        return self._fitted()

    def __abs__(self):
        return _made(abs(self._digits), self._power)

    # There is neither infinity nor NaN here.
    def is_finite(self):
        return True

    def is_infinite(self):
        return False

    def is_nan(self):
        return False

    def is_zero(self):
        return self._digits == 0

    def is_signed(self):
        return self._digits < 0

    def copy_abs(self):
        return abs(self)

    def as_integer_ratio(self):
        above, below = self._digits * 10 ** max(self._power, 0), 10 ** max(-self._power, 0)
        common = _gcd(above, below)
        return above // common, below // common

    def __float__(self):
        return float(str(self))

    def __int__(self):
        return self._at(0, ROUND_DOWN)._digits if self._power < 0 else self._digits * 10**self._power

    __trunc__ = __int__

    def __floor__(self):
        return int(self.to_integral_value(ROUND_FLOOR))

    def __ceil__(self):
        return int(self.to_integral_value(ROUND_CEILING))

    def __round__(self, ndigits=None):
        return int(self.to_integral_value(ROUND_HALF_EVEN)) if ndigits is None else self._at(-ndigits, ROUND_HALF_EVEN)

    def __bool__(self):
        return self._digits != 0

    def __hash__(self):
        return hash(float(self))

    def __str__(self):
        text, power = str(abs(self._digits)), self._power
        sign = "-" if self._digits < 0 else ""
        if power > 0 or len(text) + power < -5:
            rest = "." + text[1:] if len(text) > 1 else ""
            return f"{sign}{text[0]}{rest}E{len(text) - 1 + power:+d}"
        if power == 0:
            return sign + text
        text = text.rjust(1 - power, "0")
        return sign + text[:power] + "." + text[power:]

    def __repr__(self):
        return f"Decimal('{self}')"

    def __format__(self, spec):
        return format(float(self), spec) if spec else str(self)

    def _difference(self, other):
        a, b, _ = self._both(Decimal(other))
        return a - b

    def __eq__(self, other):
        return isinstance(other, (int, float, Decimal)) and self._difference(other) == 0

    def __lt__(self, other):
        return self._difference(other) < 0

    def __le__(self, other):
        return self._difference(other) <= 0

    def __gt__(self, other):
        return self._difference(other) > 0

    def __ge__(self, other):
        return self._difference(other) >= 0


def _made(digits, power):
    d = Decimal()
    d._digits, d._power = digits, power
    return d


def _operand(other):
    if isinstance(other, float):
        raise TypeError("unsupported operand type(s): 'Decimal' and 'float'")
    return Decimal(other)


def _parse(text):
    number, _, power = text.strip().replace("_", "").lower().partition("e")
    whole, _, decimals = number.partition(".")
    try:
        return int(whole + decimals), int(power or 0) - len(decimals)
    except ValueError:
        raise InvalidOperation(f"[<class 'decimal.ConversionSyntax'>]: {text!r}")
