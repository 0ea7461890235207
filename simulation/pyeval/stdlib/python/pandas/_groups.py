from pandas._series import Series, plain


class Groups:
    # The rows of a frame by what they have in a column, or in several.
    def __init__(self, frame, by, sort):
        self._frame = frame
        keys = by if isinstance(by, list) else [by]
        columns = [[plain(value) for value in frame._columns[key]] for key in keys]
        labels = list(zip(*columns)) if isinstance(by, list) and len(by) > 1 else columns[0]
        places = {}
        for place, label in enumerate(labels):
            if label == label:  # missing values are in no group
                places.setdefault(label, []).append(place)
        self._places = {label: places[label] for label in (sorted(places) if sort else places)}

    @property
    def groups(self):
        return {label: self._frame.index.take(places) for label, places in self._places.items()}

    @property
    def ngroups(self):
        return len(self._places)

    def get_group(self, name):
        if name not in self._places:
            raise KeyError(name)
        return self._frame._take(self._places[name])

    def size(self):
        return Series([len(places) for places in self._places.values()], list(self._places))

    def __len__(self):
        return len(self._places)

    def __iter__(self):
        for label in self._places:
            yield label, self.get_group(label)

    def __getitem__(self, name):
        if isinstance(name, list):
            raise NotImplementedError("groupby: one column at a time")
        return Group(self, name)


class Group:
    def __init__(self, groups, name):
        self._parts = {label: Series(groups._frame._columns[name][places]) for label, places in groups._places.items()}
        self._name = name

    def _of(self, values):
        return Series(values, list(self._parts), self._name)

    def apply(self, function):
        return self._of([function(part) for part in self._parts.values()])

    def sum(self):
        return self.apply(lambda part: part.sum())

    def mean(self):
        return self.apply(lambda part: part.mean())

    def min(self):
        return self.apply(lambda part: part.min())

    def max(self):
        return self.apply(lambda part: part.max())

    def count(self):
        return self.apply(lambda part: part.count())

    def first(self):
        return self.apply(lambda part: part.iloc[0])
