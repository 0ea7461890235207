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
    start, step = start or 0, step or 1
    for index, item in enumerate(iterable):
        if stop is not None and index >= stop:
            return
        if index >= start and (index - start) % step == 0:
            yield item


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
