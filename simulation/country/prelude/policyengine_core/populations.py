from openfisca_core.populations import ADD, DIVIDE, GroupPopulation, Population
