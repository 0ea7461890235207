"""Trees: the branches behind a figure, the steps of a computation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, TypeVar

T = TypeVar("T")


def _draw(root: T, below: Callable[[T], Sequence[T]], text: Callable[[T], str]) -> str:
    lines = [text(root)]

    def walk(node: T, indent: str) -> None:
        nodes = below(node)
        for i, child in enumerate(nodes):
            last = i == len(nodes) - 1
            lines.append(indent + ("└─ " if last else "├─ ") + text(child))
            walk(child, indent + ("   " if last else "│  "))

    walk(root, "")
    return "\n".join(lines)


@dataclass
class Branch:
    """A value and what it was made of, as POST /api/2/why tells it. `raw` has every member of docs/reference/why.md."""

    variable: str
    period: str
    value: Any
    label: str = ""
    id: Optional[str] = None
    origin: str = ""
    parameters: List[Dict[str, Any]] = field(default_factory=list)
    because: List[Dict[str, Any]] = field(default_factory=list)
    branches: List["Branch"] = field(default_factory=list)
    raw: Dict[str, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, raw: Dict[str, Any]) -> "Branch":
        return cls(
            variable=raw["variable"],
            period=raw.get("period", ""),
            value=raw.get("value"),
            label=raw.get("label") or "",
            id=None if raw.get("id") is None else str(raw["id"]),
            origin=raw.get("origin", ""),
            parameters=raw.get("parameters", []),
            because=raw.get("because", []),
            branches=[cls.of(below) for below in raw.get("branches", [])],
            raw=raw,
        )

    def __iter__(self) -> Iterator["Branch"]:
        return iter(self.branches)

    def find(self, variable: str) -> Optional["Branch"]:
        """The first branch of a variable, this one included."""
        if self.variable == variable:
            return self
        for branch in self.branches:
            found = branch.find(variable)
            if found is not None:
                return found
        return None

    def __str__(self) -> str:
        def text(b: "Branch") -> str:
            reasons = "".join(f"  [{reason.get('text')} is {reason.get('is')}]" for reason in b.because)
            return f"{b.variable} {b.period} = {b.value}  {b.label}{reasons}".rstrip()

        return _draw(self, lambda b: b.branches, text)


@dataclass
class Step:
    """A variable on a period in a trace: its values for all members, the parameters that its formula read, what it asked for."""

    name: str
    period: str
    values: List[Any]
    parameters: Dict[str, Any]
    steps: List["Step"]
    repeated: bool = False  # shown in full where it came first
    seconds: float = 0.0  # the formula alone

    @classmethod
    def of(cls, trace: Dict[str, Dict[str, Any]], key: str, seen: Dict[str, "Step"]) -> "Step":
        name, _, period = key.partition("<")
        entry = trace[key]
        if key in seen:
            first = seen[key]
            return cls(name, period.rstrip(">"), first.values, first.parameters, [], True, first.seconds)
        step = cls(name, period.rstrip(">"), entry.get("value") or [], entry.get("parameters") or {}, [], False, entry.get("formula_time") or 0.0)
        seen[key] = step
        step.steps = [cls.of(trace, below, seen) for below in entry.get("dependencies", []) if below in trace]
        return step

    def __iter__(self) -> Iterator["Step"]:
        return iter(self.steps)

    def __str__(self) -> str:
        return _draw(self, lambda s: s.steps, lambda s: f"{s.name}<{s.period}> = {s.values}" + (" (see above)" if s.repeated and s.values else ""))
