from collections.abc import _Abstract
from decimal import Decimal as _Decimal
from fractions import Fraction as _Fraction

import numpy as _np


class Number(_Abstract):
    _kinds = (int, float, _np.number, _Fraction, _Decimal)


class Complex(Number):
    _kinds = (int, float, _np.number, _Fraction)


class Real(Complex):
    pass


class Rational(Real):
    _kinds = (int, _np.integer, _Fraction)


class Integral(Rational):
    _kinds = (int, _np.integer)
