# slugify() of python-slugify, for texts in letters that are Latin or Latin with marks.
import re
import unicodedata

_LETTERS = {
    "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ß": "ss", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D",
    "þ": "th", "Þ": "Th", "ł": "l", "Ł": "L", "ı": "i", "‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "--", "€": "EUR", "°": "deg",
}


def _ascii(text):
    out = []
    for c in unicodedata.normalize("NFKD", "".join(_LETTERS.get(c, c) for c in text)):
        if c.isascii():
            out.append(c)
        elif c.isalnum():
            raise NotImplementedError(f"slugify: {c!r} has no Latin letters here: use allow_unicode=True")
    return "".join(out)


def slugify(
    text, entities=True, decimal=True, hexadecimal=True, max_length=0, word_boundary=False, separator="-", save_order=False,
    stopwords=(), regex_pattern=None, lowercase=True, replacements=(), allow_unicode=False,
):
    for old, new in replacements:
        text = text.replace(old, new)
    text = str(text).replace("'", "-")
    text = unicodedata.normalize("NFKC", text) if allow_unicode else _ascii(text)
    if lowercase:
        text = text.lower()
    text = _joined(text.replace("'", ""))
    if regex_pattern is None:
        regex_pattern = r"[^\w]+" if allow_unicode else "[^-a-zA-Z0-9]+"
    words = [word for word in re.sub("-+", "-", re.sub(regex_pattern, "-", text)).strip("-").split("-") if word]
    if stopwords:
        left_out = [word.lower() for word in stopwords] if lowercase else list(stopwords)
        words = [word for word in words if word not in left_out]
    text = "-".join(words)
    if max_length:
        text = text[:max_length].strip("-")
    for old, new in replacements:
        text = text.replace(old, new)
    return text.replace("-", separator)


def _joined(text):
    # A comma between digits goes.
    return "".join(c for i, c in enumerate(text) if not (c == "," and 0 < i < len(text) - 1 and text[i - 1].isdigit() and text[i + 1].isdigit()))
