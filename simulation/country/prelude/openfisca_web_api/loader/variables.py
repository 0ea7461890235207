from openfisca_web_api._served import served

build_formula = build_formulas = build_source_url = build_variable = build_variables = get_default_value = get_next_day = served
