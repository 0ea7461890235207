# arrays that meet objects of classes written in Python: numpy goes element by element, whatever the class says.
from datetime import date, datetime

import numpy as np
from dateutil.relativedelta import relativedelta


class Amount:
    def __init__(self, n):
        self.n = n

    def __add__(self, other):
        return ("left", other, self.n)

    def __radd__(self, other):
        return ("right", type(other).__name__, other, self.n)

    def __gt__(self, other):
        return other < 2


days = np.array(["2020-02-29", "2021-05-01"], dtype="datetime64[D]").astype(datetime)
later = days + relativedelta(years=2)
print(later, later.dtype, days - relativedelta(months=1))
print(days <= date(2020, 6, 1), date(2022, 3, 1) <= later, (days <= date(2020, 6, 1)) * (date(2022, 2, 1) <= later))
print(np.array([1.5, 2.5]) + Amount(3), np.array([1, 2]) + Amount(3), np.array([True]) + Amount(3))
print(np.array([1, 2]) < Amount(3))
print(np.float64(3) + Amount(3), 3 + Amount(4))
for wrong in (lambda: np.array([1, 2]) - Amount(3), lambda: np.array([1, 2]) * Amount(3)):
    try:
        wrong()
    except TypeError as e:
        print(e)

# an element of an array of text is a str
name = np.array(["tax", "benefit"])[0]
print(name + "_due", "the " + name, name * 2, name + name, name % (), "tax" in name + "es", name.upper(), f"{name:>5}|", name[1:], len(name), {name: 1}["tax"], name == "tax", "_".join([name, "x"]), name.replace("t", "w"), isinstance(name, str))
mixed = np.array([1, None, 2.5], dtype=object)
print(mixed.astype(np.float32), mixed.astype(float), mixed.astype(bool))
print(np.where(np.array([True, False]), np.array([1.5, 2]), None).astype(np.float32))
try:
    mixed.astype(int)
except TypeError:
    print("None is no whole number")
print(np.array([[], [1]], dtype=object).astype(bool))
