import numpy


class Index:
    # The labels of rows, and where each of them stands. It is complete when it is made: a table that a module holds
    # cannot change any more, and is looked up in by many. Numbers of rows are a range, or an array of what is left of one.
    def __init__(self, labels, names=None):
        self.names = names or ["index"]
        self._labels = labels if isinstance(labels, (list, range, numpy.ndarray)) else list(labels)
        self._places = None
        if not isinstance(labels, (range, numpy.ndarray)):
            self._places = {}
            for i, label in enumerate(self._labels):
                self._places.setdefault(label, []).append(i)

    def find(self, label):
        if self._places is not None:
            return self._places.get(label, [])
        if isinstance(self._labels, numpy.ndarray):
            return numpy.flatnonzero(self._labels == label).tolist() if isinstance(label, int) else []
        return [label] if isinstance(label, int) and 0 <= label < len(self._labels) else []

    def take(self, places):
        if self._places is None:
            places = numpy.asarray(places, dtype=numpy.int64)
            return Index(places if isinstance(self._labels, range) else self._labels[places], self.names)
        return Index([self._labels[i] for i in places], self.names)

    @property
    def values(self):
        return numpy.asarray(self._labels)

    def get_indexer(self, labels):
        places = [self.find(label) for label in labels]
        return numpy.array([found[0] if found else -1 for found in places], dtype=numpy.int64)

    def get_level_values(self, level):
        level = self.names.index(level) if isinstance(level, str) else level
        return Index([label[level] for label in self._labels] if len(self.names) > 1 else self.tolist(), [self.names[level]])

    def duplicated(self, keep="first"):
        order = range(len(self._labels)) if keep == "first" else range(len(self._labels) - 1, -1, -1)
        labels, seen, found = self.tolist(), set(), numpy.zeros(len(self._labels), dtype=bool)
        for i in order:
            if labels[i] in seen:
                found[i] = True
            seen.add(labels[i])
        return found

    def unique(self):
        return Index(list(dict.fromkeys(self.tolist())), self.names)

    def isin(self, values):
        known = set(values)
        return numpy.array([label in known for label in self.tolist()], dtype=bool)

    def __eq__(self, other):
        return self.values == other

    def __ne__(self, other):
        return self.values != other

    def tolist(self):
        return self._labels.tolist() if isinstance(self._labels, numpy.ndarray) else list(self._labels)

    to_list = tolist

    def __len__(self):
        return len(self._labels)

    def __iter__(self):
        return iter(self.tolist())

    def __contains__(self, label):
        return len(self.find(label)) > 0

    def __getitem__(self, key):
        label = self._labels[key]
        return label.item() if isinstance(label, numpy.generic) else label


def index_of(labels, size):
    # The index that was given, or rows counted from zero.
    if isinstance(labels, Index):
        return labels
    if hasattr(labels, "tolist"):
        labels = labels.tolist()
    return Index(range(size) if labels is None else labels)
