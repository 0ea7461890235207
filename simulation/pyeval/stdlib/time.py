from datetime import datetime


def time():
    return (datetime.utcnow() - datetime(1970, 1, 1)).total_seconds()


monotonic = perf_counter = time


def sleep(seconds):
    raise NotImplementedError("packages may not wait")
