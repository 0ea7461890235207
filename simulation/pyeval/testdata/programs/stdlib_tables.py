# Look-up tables: the same file read again and again, and what is done to what it gave.
import codecs
import csv
import io


def load(column, path="assets/towns.csv"):
    with open(path, "rb") as f:
        reader = codecs.getreader("utf-8")
        rows = csv.DictReader(reader(f), delimiter=";")
        return {row["code"]: row[column] for row in rows}


first = load("name")
first["new"] = 1
del first["75056"]
print(sorted(first), len(load("name")), load("name") == load("name"), load("code"))
try:
    load("none")
except KeyError as e:
    print("KeyError", e)


def lengths(f):
    rows = csv.DictReader(f, delimiter=";")
    found = {row["code"]: len(row["name"]) for row in rows}
    return found, list(rows)


with open("assets/towns.csv", encoding="utf-8") as f:
    print(lengths(f))
with open("assets/towns.csv", encoding="utf-8") as f:
    rows = list(csv.DictReader(f, delimiter=";"))
    rows[0]["name"] = rows[0]["name"].upper()
    rows[0].update(extra=2)
    print(rows[0], "extra" in rows[0], len(rows[1]), rows[1].get("absent", 3))
with open("assets/towns.csv", encoding="utf-8") as f:
    reader = csv.reader(f, delimiter=";")
    header = next(reader)
    for row in reader:
        row.append("more")
        print(row)
    print(header, next(reader, "end"))

text = 'a,b\n1,"x, ""y"""\n2,"two\nlines"\n\n3,\n4\n5,6,7\n'
print(list(csv.reader(io.StringIO(text))))
print([dict(row) for row in csv.DictReader(io.StringIO(text), restval="-", restkey="rest")])
print([dict(row) for row in csv.DictReader(text.splitlines(True), fieldnames=["p", "q"])][:2])

f = io.StringIO("one\ntwo\nthree\n")
print(repr(f.readline()), repr(f.read(2)), repr(f.readline()), repr(f.read()), repr(f.read()))
f.seek(0)
print(list(f), repr(f.read()), f.getvalue() == "one\ntwo\nthree\n")
f.seek(0)
print(next(f), f.readlines())

# every text of up to six of four characters
texts, digest = [""], 7
for length in range(6):
    texts = [text + c for text in texts for c in 'a",\n']
    for text in texts:
        for c in repr(list(csv.reader(io.StringIO(text)))):
            digest = (digest * 31 + ord(c)) % 1000003
    print(length + 1, len(texts), digest)
