def _gcd(a, b):
    while b:
        a, b = b, a % b
    return abs(a)


class Fraction:
    def __init__(self, numerator=0, denominator=None):
        if isinstance(numerator, Fraction):
            numerator, below = numerator.numerator, numerator.denominator
        elif isinstance(numerator, str):
            numerator, below = _parse(numerator)
        elif hasattr(numerator, "as_integer_ratio"):
            numerator, below = numerator.as_integer_ratio()
        else:
            below = 1
        if denominator is not None:
            other = Fraction(denominator)
            numerator, below = numerator * other.denominator, below * other.numerator
        if below == 0:
            raise ZeroDivisionError(f"Fraction({numerator}, 0)")
        common = _gcd(numerator, below) or 1
        if below < 0:
            common = -common
        self.numerator = numerator // common
        self.denominator = below // common

    @classmethod
    def from_float(cls, value):
        if not isinstance(value, (int, float)):
            raise TypeError(f"{cls.__name__}.from_float() only takes floats, not {value!r} ({type(value).__name__})")
        return cls(value)

    def as_integer_ratio(self):
        return self.numerator, self.denominator

    def is_integer(self):
        return self.denominator == 1

    @property
    def real(self):
        return self

    def limit_denominator(self, max_denominator=1000000):
        if max_denominator < 1:
            raise ValueError("max_denominator should be at least 1")
        if self.denominator <= max_denominator:
            return Fraction(self)
        before, last = (0, 1), (1, 0)
        above, below = self.numerator, self.denominator
        while True:
            whole = above // below
            if before[1] + whole * last[1] > max_denominator:
                break
            before, last = last, (before[0] + whole * last[0], before[1] + whole * last[1])
            above, below = below, above - whole * below
        steps = (max_denominator - before[1]) // last[1]
        low, high = Fraction(*last), Fraction(before[0] + steps * last[0], before[1] + steps * last[1])
        return low if abs(low - self) <= abs(high - self) else high

    def __repr__(self):
        return f"Fraction({self.numerator}, {self.denominator})"

    def __str__(self):
        return str(self.numerator) if self.denominator == 1 else f"{self.numerator}/{self.denominator}"

    def __add__(self, other):
        if isinstance(other, float):
            return float(self) + other
        other = Fraction(other)
        return Fraction(self.numerator * other.denominator + other.numerator * self.denominator, self.denominator * other.denominator)

    __radd__ = __add__

    def __neg__(self):
        return Fraction(-self.numerator, self.denominator)

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, other):
        return -self + other

    def __mul__(self, other):
        if isinstance(other, float):
            return float(self) * other
        other = Fraction(other)
        return Fraction(self.numerator * other.numerator, self.denominator * other.denominator)

    __rmul__ = __mul__

    def __truediv__(self, other):
        if isinstance(other, float):
            return float(self) / other
        return Fraction(self, other)

    def __rtruediv__(self, other):
        if isinstance(other, float):
            return other / float(self)
        return Fraction(other, self)

    def __floordiv__(self, other):
        return (self / other).__floor__()

    def __rfloordiv__(self, other):
        return (other / self).__floor__()

    def __mod__(self, other):
        return self - other * (self // other)

    def __rmod__(self, other):
        return other - self * (other // self)

    def __divmod__(self, other):
        return self // other, self % other

    def __rpow__(self, base):
        return base ** self.numerator if self.denominator == 1 and self.numerator >= 0 else base ** float(self)

    def __pow__(self, n):
        if not isinstance(n, int):
            return float(self) ** float(n)
        if n >= 0:
            return Fraction(self.numerator ** n, self.denominator ** n)
        return Fraction(self.denominator ** -n, self.numerator ** -n)

    def __abs__(self):
        return Fraction(abs(self.numerator), self.denominator)

    def __pos__(self):
        return self

    def __float__(self):
        return self.numerator / self.denominator

    def __trunc__(self):
        whole = abs(self.numerator) // self.denominator
        return -whole if self.numerator < 0 else whole

    __int__ = __trunc__

    def __ceil__(self):
        return -(-self.numerator // self.denominator)

    def __round__(self, ndigits=None):
        if ndigits is not None:
            shift = Fraction(10) ** ndigits
            return Fraction(round(self * shift)) / shift
        low = self.numerator // self.denominator
        half = self._difference(Fraction(2 * low + 1, 2))
        if half == 0:
            return low + low % 2
        return low + (half > 0)

    def __floor__(self):
        return self.numerator // self.denominator

    def __bool__(self):
        return self.numerator != 0

    def __hash__(self):
        return hash(self.numerator / self.denominator)

    def _difference(self, other):
        if isinstance(other, float):
            return float(self) - other
        return (self - Fraction(other)).numerator

    def __eq__(self, other):
        return isinstance(other, (int, float, Fraction)) and self._difference(other) == 0

    def __lt__(self, other):
        return self._difference(other) < 0

    def __le__(self, other):
        return self._difference(other) <= 0

    def __gt__(self, other):
        return self._difference(other) > 0

    def __ge__(self, other):
        return self._difference(other) >= 0


def _parse(text):
    above, _, below = text.strip().partition("/")
    if below:
        return int(above), int(below)
    above, _, power = above.lower().partition("e")
    whole, _, decimals = above.partition(".")
    power = int(power or 0) - len(decimals)
    return int(whole + decimals) * 10 ** max(power, 0), 10 ** max(-power, 0)
