from openfisca_core.types import __getattr__
