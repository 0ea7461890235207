from policyengine_core.reforms import Reform, set_parameter

by_dict = Reform.from_dict(
    {
        "gov.rate.NORTH": {"2022-01-01.2022-12-31": 0.5, 2024: 0.25},
        "gov.bands[0].rate": {"year:2022:2": 0.3},
        "gov.total": 7,
        "gov.abolitions.after_tax": {"2023": True},
    },
    country_id="piped",
    name="by data",
)
by_path = set_parameter("gov.rate.NORTH", 0.75, start="2022-01-01", stop="2022-12-31")


class by_value_first(Reform):
    def apply(self):
        def change(parameters):
            parameters.gov.rate.NORTH.update(0.125, "2022")
            parameters.gov.bands[0].rate.update(0.2)
            return parameters

        self.modify_parameters(change)


class by_set(Reform):
    def apply(self):
        self.apply_reform_set(({"gov.rate.NORTH": {"2022": 0.5}}, by_path))
