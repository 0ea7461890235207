import numpy as np

a = np.array([[1, 2, 3], [4, 5, 6]])
cube = np.stack([a, a * 10, a * 100])
print(cube.shape, cube.ndim, cube.size, len(cube))
print(cube[2, 1, 0], cube[-1, -1, -1])
print(cube[np.array([0, 1, 2]), np.array([1, 0, 1]), np.array([2, 2, 0])])
print(cube[np.array([0, 1]), -2, np.array([2, 1])])
print(cube[1][0], cube[1, 1])
for table in cube:
    print(table[0])
try:
    cube[3, 0, 0]
except IndexError as e:
    print(e)
try:
    np.stack([a, a[:1]])
except ValueError as e:
    print(e)
