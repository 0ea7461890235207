"""Results along an axis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Optional

import numpy as np
from numpy.typing import NDArray

from ._errors import EdictError


@dataclass
class Curve:
    """Variables along an axis: `x` has the values of the input, `values[variable]` an array with a row per point and a column per member.

    With a reform `base` has the values without it."""

    along: str
    period: str
    x: NDArray[Any]
    values: Dict[str, NDArray[Any]]
    base: Optional[Dict[str, NDArray[Any]]] = None

    def __getitem__(self, variable: str) -> NDArray[Any]:
        """The values of a variable, of its first member."""
        result: NDArray[Any] = self.values[variable][:, 0]
        return result

    def to_pandas(self) -> Any:
        """A DataFrame with the axis as its index and a column per variable (`x_base` for those without the reform)."""
        try:
            import pandas as pd
        except ImportError:
            raise EdictError("this needs pandas: `pip install pandas pyarrow`") from None
        columns = {name: values[:, 0] for name, values in self.values.items()}
        for name, values in (self.base or {}).items():
            columns[f"{name}_base"] = values[:, 0]
        return pd.DataFrame(columns, index=pd.Index(self.x, name=self.along))

    def plot(self, ax: Any = None) -> Any:
        """Draws the curves, those without the reform dashed, and returns the axes."""
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            raise EdictError("this needs matplotlib: `pip install matplotlib`") from None
        if ax is None:
            _, ax = plt.subplots()
        for name, values in self.values.items():
            (line,) = ax.plot(self.x, values[:, 0], label=name)
            if self.base is not None:
                ax.plot(self.x, self.base[name][:, 0], label=f"{name}, without the reform", linestyle="--", color=line.get_color())
        ax.set_xlabel(f"{self.along}, {self.period}")
        ax.legend()
        ax.grid(True, alpha=0.3)
        return ax
