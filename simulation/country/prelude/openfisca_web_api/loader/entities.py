from openfisca_web_api._served import served

build_entities = build_entity = build_role = served
