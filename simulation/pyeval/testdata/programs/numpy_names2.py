# Names that numpy has had since version 2.
import numpy as np

a = np.array([0.5, -0.25, 0.0, 1.0])
i = np.array([5, 0, -9, 4], dtype=np.int32)

print(np.acos(a).round(12), np.asin(a).round(12), np.atan(a).round(12), np.atan2(a, 2.0).round(12))
print(np.acosh(a + 2).round(12), np.asinh(a).round(12), np.atanh(a / 2).round(12))
print(np.bitwise_invert(i), np.concat([i, i]), np.pow(i, 2), np.pow(2.0, a).round(12))
print(np.permute_dims(np.array([[1, 2], [3, 4], [5, 6]])), np.trapezoid(a), np.trapezoid(i, x=[0, 1, 2, 5]), np.long is np.int64)
