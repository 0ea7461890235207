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


# values that are made of one column, of several, of none, and that cannot be made
def records(text):
    return csv.DictReader(io.StringIO(text))


def made(text, column):
    first = {row["code"]: int(row["zone"][0]) for row in records(text)}
    first["new"] = 3 + first["01"]
    again = {row["code"]: int(row["zone"][0]) for row in records(text)}
    rates = {row["code"]: float(row[column]) * 2 + float(row[column]) for row in records(text)}
    both = {row["code"]: row["zone"] + row[column] for row in records(text)}
    whole = {row["code"]: len(row) for row in records(text)}
    none = {row["code"]: 1 for row in records(text)}
    return first, again, rates, both, whole, none, again.get("02"), again.get("x"), list(again.items())[-1]


towns = "code,zone,rate\n01,1bis,0.5\n02,2,1\n03,2,0.5\n"
print(made(towns, "rate"))
print(made(towns, "zone"[:0] + "rate") == made(towns, "rate"))
print(made(towns + "02,3,1e3\n", "rate"))
for wrong in ["04,,1\n", "04,x,1\n", "04,2,y\n", "04\n", "04,2\n", "\n05,3,3,4\n"]:
    try:
        print(made(towns + wrong, "rate"))
    except (ValueError, IndexError, TypeError) as e:
        print(type(e).__name__, e)
