def parse_gs_url(url):
    raise NotImplementedError(f"{url} would be downloaded, which packages may not do here: give the population to edict")


download_gcs_file = upload_gcs_file = parse_gs_url
