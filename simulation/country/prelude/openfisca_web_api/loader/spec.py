from openfisca_web_api._served import served

build_openAPI_specification = get_entity_json_schema = get_situation_json_schema = get_variable_json_schema = served
