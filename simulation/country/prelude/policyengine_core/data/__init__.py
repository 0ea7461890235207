class Dataset:
    # What a package says of its data. The data themselves are downloads, and nothing is downloaded here.
    name = None
    label = None
    data_format = None
    file_path = None
    time_period = None
    url = None

    TABLES = "tables"
    ARRAYS = "arrays"
    TIME_PERIOD_ARRAYS = "time_period_arrays"
    FLAT_FILE = "flat_file"

    def __init__(self, *_, **__):
        pass

    def _refuse(self, *_, **__):
        raise NotImplementedError(f"dataset {self.name} would be read or downloaded, which packages may not do here: give the population to edict")

    load = load_dataset = save = save_dataset = generate = download = upload = remove = store_file = _refuse

    @property
    def exists(self):
        return False
