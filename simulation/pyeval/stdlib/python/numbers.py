class Number:
    pass


Real = Integral = Rational = Number
