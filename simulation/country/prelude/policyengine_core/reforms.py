from openfisca_core.reforms import Reform
