# Modules that legislation may lean on: calendar, bisect, heapq, statistics, and the rest of itertools and operator.
import bisect
import calendar
import datetime
import heapq
import itertools
import operator
import statistics
from decimal import Decimal
from fractions import Fraction


def told(f, *args, **kws):
    try:
        return f(*args, **kws)
    except (ValueError, TypeError, IndexError, StopIteration, ArithmeticError) as e:
        return f"{type(e).__name__}: {e}"


print([calendar.isleap(y) for y in (1900, 2000, 2023, 2024)], calendar.leapdays(1900, 2025), calendar.weekday(2024, 2, 29), [calendar.monthrange(y, m) for y in (2023, 2024) for m in (1, 2, 12)])
print(told(calendar.monthrange, 2024, 13), calendar.monthcalendar(2024, 2), calendar.day_name[0], calendar.month_name[12], list(calendar.month_abbr), calendar.timegm((2024, 3, 1, 12, 30, 5)))
print([d.isoformat() for d in calendar.Calendar(6).itermonthdates(2024, 6)][:8], list(calendar.Calendar().itermonthdays2(2024, 9))[:9], calendar.FRIDAY, list(calendar.Calendar(3).iterweekdays()))

limits = [10, 20, 20, 30]
print([bisect.bisect_left(limits, x) for x in (5, 10, 20, 35)], [bisect.bisect(limits, x) for x in (5, 10, 20, 35)], bisect.bisect_right(limits, 20, 0, 2), told(bisect.bisect_left, limits, 1, -1), bisect.bisect_left(["a", "bb", "cccc"], 3, key=len))
bisect.insort(limits, 25)
bisect.insort_left(limits, 20)
print(limits)

heap = []
for x in (5, 1, 8, 3, 9, 2):
    heapq.heappush(heap, x)
print([heapq.heappop(heap) for _ in range(3)], heapq.heappushpop(heap, 4), heapq.heapreplace(heap, 7), sorted(heap), told(heapq.heappop, []))
other = [9, 4, 7]
heapq.heapify(other)
print(other[0], heapq.nsmallest(2, [5, 1, 4]), heapq.nlargest(2, ["a", "ccc", "bb"], key=len), list(heapq.merge([1, 4, 9], [2, 3], [])), list(heapq.merge([9, 1], [5], reverse=True)))

amounts = [1200, 950.5, 3100, 950.5, 0.1, 0.2]
for f in (statistics.mean, statistics.fmean, statistics.median, statistics.median_low, statistics.median_high, statistics.mode, statistics.multimode, statistics.variance, statistics.pvariance, statistics.stdev, statistics.pstdev, statistics.quantiles):
    print(f.__name__, [repr(told(f, data)) for data in (amounts, [1, 2, 3, 4], [3, 1, 2], [7], [], [Fraction(1, 3), 2], [Decimal("1.5"), Decimal("2.25")], [0.1] * 3, [1e16, 1, -1e16])])
print(told(statistics.harmonic_mean, [40, 60]), told(statistics.harmonic_mean, [2.5, 3, 10]), told(statistics.harmonic_mean, [0, 1]), told(statistics.harmonic_mean, [-1]), told(statistics.harmonic_mean, [40, 60], weights=[5, 30]), f"{statistics.geometric_mean([54, 24, 36]):.10f}", told(statistics.geometric_mean, []))
print(statistics.fmean([3.5, 4, 5], weights=[1, 2, 2]), told(statistics.fmean, [1], [1, 2]), statistics.quantiles(range(1, 12), n=10, method="inclusive"), statistics.quantiles(amounts, n=5), told(statistics.quantiles, [1]), statistics.variance([1, 2], 1.5))

numbers = iter(range(10))
print(list(itertools.islice(numbers, 3)), list(itertools.islice(numbers, 2)), next(numbers), list(itertools.islice("abcdefg", 1, None, 2)), list(itertools.islice(range(9), 2, 8, 3)), told(itertools.islice, [1], -1).__class__.__name__)
print(list(itertools.combinations_with_replacement("abc", 2)), list(itertools.compress("abcd", [1, 0, 1, 1])), list(itertools.filterfalse(lambda x: x % 2, range(6))), list(itertools.filterfalse(None, [0, 1, ""])), list(itertools.pairwise([1, 2, 4, 8])), list(itertools.pairwise([])))
one, two = itertools.tee(x * x for x in range(4))
print(next(one), next(one), list(two), list(one))
items = [1, 2, 3]
operator.setitem(items, 0, 9)
operator.delitem(items, 1)
print(items, operator.concat([1], [2]), operator.lshift(1, 4), operator.rshift(16, 2), operator.is_(None, None), operator.is_not(1, None), operator.truth([]), operator.index(True), operator.countOf([1, 2, 1], 1), operator.indexOf([4, 5], 5), told(operator.indexOf, [], 1), operator.invert(5), operator.abs(-3))

prices = [Decimal(x) for x in ("2", "0.25", "2.25", "1234.5678", "1E+3", "1E+4", "0.00", "7E-7", "12345678901234567890123456789.5", "3.00")]
print([str(told(p.sqrt)) for p in prices], told(Decimal(-1).sqrt))
print([(str(p // 7), str(p % 7), str(p ** 3), str(p**0), str(told(lambda: p**-2))) for p in prices if p < 10**20 and p], [str(x) for x in divmod(Decimal("-7.5"), 2)], str(7 % Decimal("2.5")), str(9 // Decimal(-2)), told(lambda: Decimal(1) % 0), told(lambda: Decimal(1) // 0))


class Odd:
    def __divmod__(self, other):
        return "mine", other

    def __rdivmod__(self, other):
        return "theirs", other


print(divmod(Odd(), 3), divmod(3, Odd()), divmod(7, -2), divmod(7.5, 2))
