"""Client of edict, the server for tax-benefit simulation and messaging.

Law starts a server of its own, or uses one that runs, and computes with its legislation. Simulation has the shape of
openfisca_core. Client and AsyncClient publish, send and follow streams. Whatever goes wrong is an EdictError that says what
to do about it.
"""

from ._curve import Curve
from ._errors import EdictError, NoBinary, PopulationFailed, Refused, ServerFailed, StreamEnded, UnknownServer, Unreachable
from ._law import Comparison, Law
from ._messaging import AsyncClient, Client, Event
from ._population import Population
from ._server import run
from ._simulation import Simulation
from ._tree import Branch, Step

__version__ = "0.1.0"

__all__ = [
    "AsyncClient",
    "Branch",
    "Client",
    "Comparison",
    "Curve",
    "EdictError",
    "Event",
    "Law",
    "NoBinary",
    "Population",
    "PopulationFailed",
    "Refused",
    "ServerFailed",
    "Simulation",
    "Step",
    "StreamEnded",
    "UnknownServer",
    "Unreachable",
    "run",
]
