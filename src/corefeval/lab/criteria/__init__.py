"""Criteria for measures, from the papers, and which measure meets which: by a search for counter-examples."""

from corefeval.lab.criteria.judging import explain_verdict, judge_measures
from corefeval.lab.criteria.results import CriteriaResult, ExplainedVerdict

__all__ = ["CriteriaResult", "ExplainedVerdict", "explain_verdict", "judge_measures"]
