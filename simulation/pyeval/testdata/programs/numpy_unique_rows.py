# Rows, columns and planes that are there once.
import numpy as np

a = np.array([[3, 1], [0, 2], [3, 1], [0, 1], [0, 2], [0, 2]])
print(np.unique(a, axis=0).tolist())
for got in np.unique(a, axis=0, return_index=True, return_inverse=True, return_counts=True):
    print(np.asarray(got).tolist())
values, places = np.unique(np.array([[1.5, 0.0, 1.5], [2.0, 7.0, 2.0]]), axis=1, return_inverse=True)
print(values.tolist(), np.asarray(places).ravel().tolist(), values.dtype)
cube = np.array([[[1, 2], [3, 4]], [[1, 2], [3, 4]], [[0, 2], [3, 4]]])
print(np.unique(cube, axis=0).tolist(), np.unique(cube, axis=2).tolist())
print(np.unique(np.array([["b", "a"], ["b", "a"], ["a", "z"]]), axis=0).tolist())
print(np.unique(np.zeros((0, 2)), axis=0).shape, np.unique(np.array([3, 1, 3]), axis=0).tolist())
keys = np.full((3, 2), -1)
keys[np.array([True, False, True]), :1] = np.array([[5], [4]])
keys.sort(axis=1)
print(keys.tolist(), np.unique(keys, axis=0, return_inverse=True)[1].tolist())
