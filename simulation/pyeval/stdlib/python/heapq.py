# Heaps are lists whose first item is the smallest. The others may lie in another order than in CPython; what is popped, and when, is the same.
def heapify(heap):
    heap.sort()


def heappush(heap, item):
    heap.append(item)
    at = len(heap) - 1
    while at > 0 and item < heap[(at - 1) // 2]:
        heap[at] = heap[(at - 1) // 2]
        at = (at - 1) // 2
    heap[at] = item


def heappop(heap):
    if not heap:
        raise IndexError("index out of range")
    last = heap.pop()
    if not heap:
        return last
    first = heap[0]
    _sink(heap, last)
    return first


def _sink(heap, item):
    # Puts an item in the place of the first, as far down as it belongs.
    at = 0
    while 2 * at + 1 < len(heap):
        below = 2 * at + 1
        if below + 1 < len(heap) and heap[below + 1] < heap[below]:
            below += 1
        if not heap[below] < item:
            break
        heap[at] = heap[below]
        at = below
    heap[at] = item


def heapreplace(heap, item):
    if not heap:
        raise IndexError("index out of range")
    first = heap[0]
    _sink(heap, item)
    return first


def heappushpop(heap, item):
    if heap and heap[0] < item:
        return heapreplace(heap, item)
    return item


def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[: max(n, 0)]


def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[: max(n, 0)]


def merge(*iterables, key=None, reverse=False):
    lists = [iter(iterable) for iterable in iterables]
    heads = []
    for order, items in enumerate(lists):
        for first in items:
            heads.append((first, order))
            break
    while heads:
        best = 0
        for i in range(1, len(heads)):
            a, b = (heads[i][0], heads[best][0]) if key is None else (key(heads[i][0]), key(heads[best][0]))
            if (b < a) if reverse else (a < b):
                best = i
        item, order = heads[best]
        yield item
        for following in lists[order]:
            heads[best] = (following, order)
            break
        else:
            del heads[best]
