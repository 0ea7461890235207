"""Prints, for every path read from standard input, the SHA-256 of ast.dump, or the error.

With --whole the dump itself is printed instead, one line per file."""
import ast
import hashlib
import sys

whole = "--whole" in sys.argv
sys.setrecursionlimit(20000)
for path in sys.stdin.read().split("\n"):
    if not path:
        continue
    try:
        with open(path, "rb") as f:
            text = ast.dump(ast.parse(f.read()))
        text = text.encode("utf-8", "surrogatepass")
        print("ok", text.decode("utf-8", "replace") if whole else hashlib.sha256(text).hexdigest())
    except (SyntaxError, ValueError) as e:
        print("error", type(e).__name__, flush=True)
