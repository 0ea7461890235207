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
        elif isinstance(numerator, float):
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

    def __mod__(self, other):
        return self - other * (self // other)

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
    whole, _, decimals = above.partition(".")
    return int(whole + decimals), 10 ** len(decimals)
