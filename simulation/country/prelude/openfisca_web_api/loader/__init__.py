from openfisca_web_api._served import served as build_data
