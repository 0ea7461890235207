from openfisca_web_api._served import served

create_app = init_tracker = served
