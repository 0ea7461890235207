def time():
    raise NotImplementedError("packages have no clock: the same input gives the same output")


perf_counter = sleep = time
