import os

import yaml

from feature_facts.ask import ask

HERE = os.path.dirname(__file__)


def facts():
    out = []
    with open(os.path.join(HERE, "table.yaml"), encoding="utf-8") as f:
        table = yaml.safe_load(f)
    ask(out, "yaml", lambda: table)
    ask(out, "yaml keys", lambda: (table["by_year"][2020], list(table["by_year"]), table["rates"][1], table["nested"]["a"]["b"]))
    ask(out, "yaml of texts", lambda: (yaml.safe_load("3"), yaml.safe_load("[1, 2.5, x]"), yaml.safe_load(""), yaml.load("a: yes", Loader=yaml.SafeLoader), yaml.safe_load(b"- b")))
    ask(out, "wrong yaml", lambda: yaml.safe_load("a: [1"))
    ask(out, "wrong yaml is caught", caught)
    return out


def caught():
    try:
        return yaml.safe_load("{")
    except yaml.YAMLError:
        return "caught"
