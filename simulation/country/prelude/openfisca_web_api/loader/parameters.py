from openfisca_web_api._served import served

build_api_parameter = build_api_scale = build_api_values_history = build_parameters = build_source_url = get_value = served
