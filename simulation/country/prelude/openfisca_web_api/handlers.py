from openfisca_web_api._served import served

calculate = trace = served
