"""Reads lines "n times" and answers with nanoseconds of processor time for one evaluation."""
import sys
import time

import numpy as np

for line in sys.stdin:
    n, times = map(int, line.split())
    i = np.arange(n)
    a, b = (i % 4096 * 1.5).astype("f4"), (i % 1000).astype("f4")
    np.maximum(a * 0.14 + b - 500, 0)
    start = time.process_time()
    for _ in range(times):
        np.maximum(a * 0.14 + b - 500, 0)
    print((time.process_time() - start) / times * 1e9, flush=True)
