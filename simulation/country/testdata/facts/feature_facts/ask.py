def ask(facts, question, answer):
    """Notes what a function answers, or that it raises."""
    try:
        found = str(answer())
    except Exception:
        found = "raises"
    facts.append([question, found])
