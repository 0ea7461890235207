def chain(*iterables):
    for iterable in iterables:
        yield from iterable


def _from_iterable(iterables):
    for iterable in iterables:
        yield from iterable


chain.from_iterable = _from_iterable


def count(start=0, step=1):
    while True:
        yield start
        start += step


def repeat(value, times=None):
    if times is None:
        while True:
            yield value
    for _ in range(times):
        yield value


def cycle(iterable):
    items = list(iterable)
    while items:
        yield from items


def islice(iterable, *limits):
    start, stop, step = (limits + (None, None))[:3] if len(limits) > 1 else (0, limits[0], 1)
    start, step = start or 0, 1 if step is None else step
    if start < 0 or stop is not None and stop < 0 or step < 1:
        raise ValueError("islice() takes whole numbers from zero on, and a step from one on")
    items = iter(iterable)
    return _slice(items, start, stop, step)


def _slice(items, start, stop, step):
    # What comes after the last one stays with the iterator.
    index = 0
    while stop is None or index < stop:
        try:
            item = next(items)
        except StopIteration:
            return
        if index >= start and (index - start) % step == 0:
            yield item
        index += 1


def takewhile(predicate, iterable):
    for item in iterable:
        if not predicate(item):
            return
        yield item


def dropwhile(predicate, iterable):
    dropping = True
    for item in iterable:
        dropping = dropping and predicate(item)
        if not dropping:
            yield item


def accumulate(iterable, function=None, *, initial=None):
    total = initial
    first = initial is None
    if not first:
        yield total
    for item in iterable:
        total = item if first else (total + item if function is None else function(total, item))
        first = False
        yield total


def product(*iterables, repeat=1):
    results = [()]
    for pool in [tuple(iterable) for iterable in iterables] * repeat:
        results = [result + (item,) for result in results for item in pool]
    yield from results


def combinations(iterable, size):
    pool = tuple(iterable)
    if size == 0:
        yield ()
        return
    for index in range(len(pool)):
        for rest in combinations(pool[index + 1:], size - 1):
            yield (pool[index],) + rest


def permutations(iterable, size=None):
    pool = tuple(iterable)
    size = len(pool) if size is None else size
    if size == 0:
        yield ()
        return
    for index in range(len(pool)):
        for rest in permutations(pool[:index] + pool[index + 1:], size - 1):
            yield (pool[index],) + rest


def groupby(iterable, key=None):
    group, last, begun = [], None, False
    for item in iterable:
        by = item if key is None else key(item)
        if begun and by != last:
            yield last, group
            group = []
        last, begun = by, True
        group.append(item)
    if begun:
        yield last, group


def zip_longest(*iterables, fillvalue=None):
    lists = [list(iterable) for iterable in iterables]
    for index in range(max([len(items) for items in lists], default=0)):
        yield tuple(items[index] if index < len(items) else fillvalue for items in lists)


def starmap(function, iterable):
    for args in iterable:
        yield function(*args)


def combinations_with_replacement(iterable, size):
    pool = tuple(iterable)
    if size == 0:
        yield ()
        return
    for index in range(len(pool)):
        for rest in combinations_with_replacement(pool[index:], size - 1):
            yield (pool[index],) + rest


def compress(data, selectors):
    return (item for item, chosen in zip(data, selectors) if chosen)


def filterfalse(predicate, iterable):
    return (item for item in iterable if not (item if predicate is None else predicate(item)))


def pairwise(iterable):
    items = iter(iterable)
    last = next(items, pairwise)
    if last is pairwise:
        return
    for item in items:
        yield last, item
        last = item


def tee(iterable, n=2):
    items, seen = iter(iterable), []

    def follow():
        at = 0
        while True:
            if at == len(seen):
                try:
                    seen.append(next(items))
                except StopIteration:
                    return
            yield seen[at]
            at += 1

    return tuple(follow() for _ in range(n))
