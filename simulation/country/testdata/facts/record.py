"""Writes facts.json: what OpenFisca-Core, numpy and pandas answer to the questions of feature_facts.

    python record.py > facts.json
"""
import json
import sys

import feature_facts

json.dump(feature_facts.CountryTaxBenefitSystem.facts, sys.stdout, indent=0, ensure_ascii=False)
print()
