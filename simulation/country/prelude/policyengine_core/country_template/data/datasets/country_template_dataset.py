from policyengine_core.data import Dataset


class CountryTemplateDataset(Dataset):
    name = "country_template_dataset"
    label = "Country template dataset"
    data_format = Dataset.TIME_PERIOD_ARRAYS
