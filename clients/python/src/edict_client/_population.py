"""Populations: frames in, frames out, by Parquet."""

from __future__ import annotations

import io
import sys
import warnings
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, Union

from ._errors import EdictError

Frame = Any  # pandas.DataFrame, polars.DataFrame or pyarrow.Table


@dataclass
class Population:
    """What was computed for a population: a frame per entity, of the kind that was given, and the report."""

    frames: Dict[str, Frame]
    report: Dict[str, Any]
    notices: List[str] = field(default_factory=list)

    @property
    def frame(self) -> Frame:
        """The frame, where the variables are of one entity."""
        if len(self.frames) != 1:
            raise EdictError(f"there is a frame for each of {', '.join(self.frames) or 'no entity'}: use frames[entity]")
        return next(iter(self.frames.values()))

    def __getitem__(self, entity: str) -> Frame:
        return self.frames[entity]

    def total(self, variable: str) -> Dict[str, float]:
        """The weighted total of a variable: base and, in a comparison, reform and difference."""
        for entry in self.report.get("variables", []):
            if entry["variable"] == variable:
                found: Dict[str, float] = entry["total"]
                return found
        raise EdictError(f"the report has no {variable}: it has {', '.join(e['variable'] for e in self.report.get('variables', []))}")


def to_parquet(frame: Frame) -> "tuple[bytes, Callable[[bytes], Frame]]":
    """A frame as Parquet, and what makes a frame of the same kind from Parquet."""
    module = type(frame).__module__.partition(".")[0]
    buffer = io.BytesIO()
    if module == "polars":
        import polars

        if isinstance(frame, polars.LazyFrame):
            frame = frame.collect()
        frame.write_parquet(buffer)
        return buffer.getvalue(), lambda raw: polars.read_parquet(io.BytesIO(raw))
    if module not in ("pandas", "pyarrow"):
        raise EdictError(f"a population is a DataFrame of pandas or polars, a Table of pyarrow, or the path of a CSV or Parquet file, not a {type(frame).__name__}")
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise EdictError("a DataFrame of pandas goes through pyarrow: `pip install pandas pyarrow`") from None
    if module == "pyarrow":
        pyarrow.parquet.write_table(frame, buffer)
        return buffer.getvalue(), lambda raw: pyarrow.parquet.read_table(io.BytesIO(raw))
    try:
        table = pyarrow.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata(None)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError) as mixed:
        raise EdictError(f"a column has values of several kinds: {mixed}. Give every column one type") from mixed
    pyarrow.parquet.write_table(plain(table), buffer)
    return buffer.getvalue(), from_parquet


def from_parquet(raw: bytes) -> Frame:
    """A DataFrame of pandas."""
    try:
        import pandas
    except ImportError:
        raise EdictError("the result of a file is a DataFrame of pandas: `pip install pandas pyarrow`") from None
    return pandas.read_parquet(io.BytesIO(raw))


def plain(table: Any) -> Any:
    """A table whose categories are written as the values they stand for."""
    import pyarrow

    for i, one in enumerate(table.schema):
        if pyarrow.types.is_dictionary(one.type):
            table = table.set_column(i, one.name, table.column(i).cast(one.type.value_type))
        elif pyarrow.types.is_null(one.type):
            table = table.set_column(i, one.name, table.column(i).cast(pyarrow.string()))
    return table


Progress = Union[bool, None, Callable[[float], None]]


class Bar:
    """A bar of progress: tqdm's where it is installed (in notebooks its own kind), else a line on stderr; or a function of the caller's."""

    def __init__(self, wanted: Progress) -> None:
        self._tell: Optional[Callable[[float], None]] = wanted if callable(wanted) else None
        self._bar: Any = None
        self._line = False
        self._shown = 0.0
        shown = wanted is True or (wanted is None and (sys.stderr.isatty() or "ipykernel" in sys.modules))
        if self._tell is None and shown:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # a notebook without ipywidgets gets a bar of text
                    from tqdm.auto import tqdm

                self._bar = tqdm(total=100, unit="%", desc="population", bar_format="{desc} {percentage:3.0f}%|{bar}| {elapsed}<{remaining}")
            except ImportError:
                self._line = True

    def at(self, share: float) -> None:
        if self._tell is not None:
            self._tell(share)
        elif self._bar is not None:
            self._bar.update(round(share * 100) - self._shown)
            self._shown = round(share * 100)
        elif self._line:
            print(f"\rpopulation {share:4.0%}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._line:
            print(file=sys.stderr)
