a = f'' f"x"
b = f'{a}' 'tail' f'{b!r:>{width}.{prec}f}' "{plain}"
c = f"{a['k']} {{literal}} {d.e(1, 'two')!s}"
d = f'{a=}' f"{x + 1 = !r}"
e = f"""multi
{line
} end"""
g = f'{lam(1):%Y-%m-%d}' rf'\d{x}' f'\n{x}\t'
h = f"{(lambda q: q)(1)}" f"{ {'k': 1}['k'] }" f'{a if b else c}' f'{(a, b)}' f"{'q'}"
