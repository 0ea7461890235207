from openfisca_core.periods import DAY, ETERNITY, MONTH, YEAR, Instant, Period, instant, instant_date, key_period_size, period, unit_weight, unit_weights
